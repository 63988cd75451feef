import Support

extension ScenarioField {
  package static let all: [ScenarioField] =
    Scenario.identityFields + Scenario.rowFields + Generation.fields + Scenario.Changes.fields
    + Scenario.storageFields + Scenario.Store.fields + Scenario.Costs.fields + Scenario.List.fields
    + Scenario.Drawing.fields
    + Scenario.User.fields + Scenario.measurementFields

  static func named(_ path: String) -> ScenarioField? {
    all.first { $0.path == path }
  }

  /// `changes` for `changes.per_save`.
  package var section: String? {
    path.firstIndex(of: ".").map { String(path[..<$0]) }
  }

  package var name: String {
    section.map { String(path.dropFirst($0.count + 1)) } ?? path
  }

  static let sections: Set<String> = Set(all.compactMap(\.section))

  /// At the top of the file if the section is nil.
  static func names(in section: String?) -> [String] {
    guard let section else { return all.map { $0.section ?? $0.name }.unique }
    return all.filter { $0.section == section }.map(\.name)
  }

  static func unknown(_ name: String, in section: String?) -> String {
    if section == "changes", ["burst", "burst_every_ms"].contains(name) {
      return "is gone; give the saves a steady rate by changes.rate_per_s, in saves per second"
    }
    let allowed = names(in: section).joined(separator: ", ")
    let place = section.map { "in '\($0)'" } ?? "at the top"
    let hint = nearest(to: name, in: section).map { " Did you mean '\($0)'?" } ?? ""
    return "unknown field.\(hint) Allowed \(place): \(allowed)"
  }

  static func settable(
    _ path: String, at origin: InputError.Origin
  ) throws(InputError) -> ScenarioField {
    guard let field = named(path) else {
      throw InputError(origin, field: path, unknown(path: path))
    }
    guard field.canBeSet else {
      throw InputError(
        origin, field: path,
        "\(path.quoted) describes the data; state it in the scenario file itself")
    }
    return field
  }

  private static func unknown(path: String) -> String {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, sections.contains(parts[0]) { return unknown(parts[1], in: parts[0]) }
    let settable = all.filter(\.canBeSet).map(\.path)
    let close = NearestName.closest(to: path, in: settable) ?? nearest(to: path, in: nil)
    let hint = close.map { " Did you mean '\($0)'?" } ?? ""
    return "unknown field \(path.quoted).\(hint) Known: \(settable.joined(separator: ", "))"
  }

  /// The nearest name in the same section; otherwise the nearest one in another section.
  private static func nearest(to name: String, in section: String?) -> String? {
    if let neighbour = NearestName.closest(to: name, in: names(in: section)) {
      return section.map { "\($0).\(neighbour)" } ?? neighbour
    }
    let elsewhere = NearestName.closest(to: name, in: all.map(\.name))
    return all.first { $0.name == elsewhere }?.path
  }
}
