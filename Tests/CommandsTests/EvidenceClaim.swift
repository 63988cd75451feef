import Foundation
import Support

/// A claim of claims.yaml, judged by the figures of results.yaml as scripts/evidence judges it.
struct EvidenceClaim {
  let id: String
  /// Of its cells.
  let topologies: Set<String>
  let scenarios: Set<String>
  /// Whether every figure was measured, and a rule is broken.
  let fails: Bool

  static func all(in folder: String) throws -> [EvidenceClaim] {
    let claims = try document("\(folder)/claims.yaml").member("claims")?.items("claims") ?? []
    let results = try document("\(folder)/results.yaml")
    return try claims.map { try EvidenceClaim($0, results) }
  }

  private static func document(_ path: String) throws -> LocatedNode {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard let node = try LocatedNode(yaml: text, from: .file(path, line: nil)) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return node
  }

  private init(_ claim: LocatedNode, _ results: LocatedNode) throws {
    id = try claim.text(of: "id") ?? ""
    let device = try claim.text(of: "device")
    let store = try claim.text(of: "store")
    var cells: [String: [String]] = [:]
    for (name, cell) in try claim.member("cells")?.members() ?? [] {
      cells[name] = try cell.text().split(separator: " ").map(String.init)
    }
    topologies = Set(cells.values.map { $0[0] })
    scenarios = Set(cells.values.map { $0[1] })
    func figure(_ cell: String, _ metric: String) throws -> Double? {
      let words = cells[cell] ?? []
      let plain = words.filter { !$0.hasPrefix("store=") }
      let own = words.first { $0.hasPrefix("store=") } ?? "store=\(store ?? "pool")"
      let key = (plain + (device.map { ["device=\($0)"] } ?? []) + [own]).joined(separator: " ")
      let result = try results.member(key)
      func number(_ name: String) throws -> Double? {
        try result?.text(of: name).flatMap { Double($0) }
      }
      guard metric == "main_blocked_and_ui_ms" else { return try number(metric) }
      guard let blocked = try number("main_blocked_ms"), let drawing = try number("main_ui_ms")
      else { return nil }
      return blocked + drawing
    }
    fails = try (claim.member("rules")?.items("rules") ?? []).contains { rule in
      let metric = try rule.text(of: "metric") ?? ""
      let names =
        try rule.member("ratio")?.items("ratio").map { try $0.text() }
        ?? [rule.text(of: "of") ?? ""]
      let figures = try names.compactMap { try figure($0, metric) }
      guard figures.count == names.count else { return false }
      if figures.count == 2, figures == [0, 0] { return false }
      let found = figures.count == 1 ? figures[0] : figures[0] / figures[1]
      let least = try rule.text(of: "at_least").flatMap { Double($0) } ?? 0
      let most = try rule.text(of: "at_most").flatMap { Double($0) } ?? .infinity
      return found < least || found > most
    }
  }
}

extension LocatedNode {
  func member(_ name: String) throws -> LocatedNode? {
    try members().first { $0.name == name }?.node
  }

  func text(of name: String) throws -> String? { try member(name)?.text() }
}
