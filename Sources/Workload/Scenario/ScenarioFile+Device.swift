import Foundation
import Support

// device: iphone-6 ─▶ devices/iphone-6.yaml ─▶ storage, costs.*_us ◀─ the file's own fields win
//                      beside the scenario, or shipped

extension ScenarioFile {
  private static let profileNotes = ["name", "source", "fitted"]

  /// Adds the device's fields. The scenario's own fields win.
  mutating func addDevice() throws(InputError) {
    guard let node = nodes["device"] else { return }
    let name = try node.text("the name of a profile")
    guard name != "none" else { return }
    if let problem = FileName.problem(name) { throw node.error(problem) }
    let file = try profile(name, node)
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

  private func profile(_ name: String, _ node: LocatedNode) throws(InputError) -> String {
    // Each path names a folder by a file in it.
    let homes = [path] + ScenarioLibrary.shippedFolders.map { "\($0)/\(name).yaml" }
    for home in homes {
      let file = FileContent.path("devices/\(name).yaml", relativeTo: home)
      guard FileContent.problemReading(file) == nil else { continue }
      // As with data files, an error must not quote a file from elsewhere.
      guard FileContent.isBeside(file, home) else {
        throw node.error("device \(name.quoted) lies outside the scenario's folder")
      }
      return file
    }
    let known = homes.flatMap(Self.profiles).unique.sorted()
    throw node.error(
      "unknown device \(name.quoted).\(NearestName.hint(for: name, in: known)) Known:"
        + " \(known.joined(separator: ", ").short); a profile of your own is devices/NAME.yaml beside"
        + " the scenario")
  }

  private static func profiles(beside home: String) -> [String] {
    let folder = FileContent.path("devices", relativeTo: home)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }
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
