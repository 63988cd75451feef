import Support

// device: iphone-6 ─▶ devices/iphone-6.yaml ─▶ storage, costs.*_us ◀─ the file's own fields win

extension Scenario {
  /// The costs of the storage core's events on another device, on the thread where they happen.
  package struct Costs: Sendable, Equatable {
    package let device: String?
    /// By event; only prices above zero.
    package let prices: [String: Duration]

    package static let events = [
      "statement", "row_decoded", "row_written", "commit", "fault", "insert", "push_up", "refresh",
      "save", "merge",
    ]

    static let fields =
      [
        ScenarioField(
          "device", .text, default: .text("none"),
          "A profile in `devices/`: it sets `storage` and `costs` where the scenario does not.")
      ]
      + events.map { name in
        ScenarioField(
          "costs.\(name)_us", .number(0...1_000_000), default: .integer(0), unit: "µs",
          "The price of an event on its thread: \(events.joined(separator: ", ")).")
      }

    init(_ values: FieldValues) {
      let name = values.text("device")
      device = name == "none" ? nil : name
      prices = Dictionary(
        uniqueKeysWithValues: Self.events.map { name in
          (name, .microseconds(values.number("costs.\(name)_us")))
        }
      ).filter { $0.value > .zero }
    }
  }
}

extension ScenarioFile {
  private static let profileNotes = ["name", "source", "fitted"]

  /// The scenario's own fields win.
  mutating func addDevice() throws(InputError) {
    guard let node = nodes["device"] else { return }
    let name = try node.text("the name of a profile")
    guard name != "none" else { return }
    if let problem = FileName.problem(name) { throw node.error(problem) }
    let file = FileContent.path("devices/\(name).yaml", relativeTo: path)
    if let problem = FileContent.problemReading(file) {
      throw node.error("unknown device \(name.quoted): \(problem): \(file.short)")
    }
    // As with data files, an error must not quote a file from elsewhere.
    guard FileContent.isBeside(file, path) else {
      throw node.error("device \(name.quoted) lies outside the scenario's folder")
    }
    let text = try FileContent.text(of: file)
    guard let root = try LocatedNode(yaml: text, from: .file(file, line: nil)) else {
      throw InputError(.file(file, line: 1), "the file is empty")
    }
    let sections = Self.profileNotes + ["storage", "costs"]
    let allowed = sections.joined(separator: ", ")
    for (section, node) in try root.members("a mapping of fields: \(allowed)")
    where !Self.profileNotes.contains(section) {
      guard sections.contains(section) else {
        throw node.error("unknown field. Allowed in a profile: \(allowed)")
      }
      try addDefault(section, node)
    }
  }

  private mutating func addDefault(_ section: String, _ node: LocatedNode) throws(InputError) {
    guard ScenarioField.sections.contains(section) else {
      nodes[section] = nodes[section] ?? node
      return
    }
    for (member, node) in try node.members("a mapping of prices") {
      guard ScenarioField.named(node.path) != nil else {
        throw node.error(ScenarioField.unknown(member, in: section))
      }
      nodes[node.path] = nodes[node.path] ?? node
    }
  }
}
