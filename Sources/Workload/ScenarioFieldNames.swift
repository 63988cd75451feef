import Support

/// Names as a reader of the file meets them, and what a wrong one was meant to be.
extension ScenarioField {
  static func named(_ path: String) -> ScenarioField? {
    all.first { $0.path == path }
  }

  /// The mapping a field stands in: `changes` of `changes.per_save`.
  var section: String? {
    path.firstIndex(of: ".").map { String(path[..<$0]) }
  }

  /// The part after the dot.
  var name: String {
    section.map { String(path.dropFirst($0.count + 1)) } ?? path
  }

  static let sections: Set<String> = Set(all.compactMap(\.section))

  /// What may stand in a section or, for nil, at the top of the file.
  static func names(in section: String?) -> [String] {
    guard section == nil else { return all.filter { $0.section == section }.map(\.name) }
    return all.reduce(into: []) { names, field in
      let name = field.section ?? field.name
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The sentence about a name that means nothing where it stands.
  static func unknown(_ name: String, in section: String?) -> String {
    let allowed = names(in: section).joined(separator: ", ")
    let place = section.map { "in '\($0)'" } ?? "at the top"
    let hint = nearest(to: name, in: section).map { " Did you mean '\($0)'?" } ?? ""
    return "unknown field.\(hint) Allowed \(place): \(allowed)"
  }

  /// The same for a dotted path, as `--set` has it.
  static func unknown(path: String) -> String {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count == 2, sections.contains(parts[0]) { return unknown(parts[1], in: parts[0]) }
    let settable = all.filter(\.canBeSet).map(\.path)
    let close = NearestName.closest(to: path, in: settable) ?? nearest(to: path, in: nil)
    let hint = close.map { " Did you mean '\($0)'?" } ?? ""
    return "unknown field '\(path)'.\(hint) Known: \(settable.joined(separator: ", "))"
  }

  /// A neighbour written nearly so; else the field of that name in another section.
  private static func nearest(to name: String, in section: String?) -> String? {
    if let neighbour = NearestName.closest(to: name, in: names(in: section)) {
      return section.map { "\($0).\(neighbour)" } ?? neighbour
    }
    let elsewhere = NearestName.closest(to: name, in: all.map(\.name))
    return all.first { $0.name == elsewhere }?.path
  }
}
