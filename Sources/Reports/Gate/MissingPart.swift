import Foundation
import Judging
import Measurement
import Support

/// Topologies of the baseline that the candidate lacks in one setting and store mode.
struct MissingPart {
  let key: CellKey
  let topologies: [String]
  let cells: Int
  /// What differs, and what to type.
  let reason: String

  /// - Parameter sections: what the candidate has.
  init(_ parts: [Matching.Unmatched], candidate sections: Set<CellKey>) {
    key = parts[0].key
    topologies = parts.map(\.key.topology)
    cells = parts.reduce(0) { $0 + $1.cells }
    reason = Self.reason(key, topologies, sections)
  }

  private static func reason(
    _ key: CellKey, _ topologies: [String], _ sections: Set<CellKey>
  ) -> String {
    if sections.contains(key.section) {
      let names = topologies.count > 3 ? [] : topologies.flatMap { ["--topology", $0.brief] }
      return "missing from the candidate: measure it\(names.isEmpty ? "" : " with ")"
        + "\(names.shellCommand), or name the topologies to gate with --only"
    }
    let (has, missing) = difference(key, sections)
    return "missing from the candidate\(has.isEmpty ? "" : ", which was measured \(has)"):"
      + " measure it \(missing), or renew the baseline with --update-baseline"
  }

  /// The options of the candidate, if they alone differ, and those of the missing part.
  private static func difference(
    _ key: CellKey, _ sections: Set<CellKey>
  ) -> (candidate: String, missing: String) {
    let ofScenario = sections.filter { $0.scenario == key.scenario }
    let ofSetting = ofScenario.filter { $0.parameters == key.parameters }
    if ofSetting.contains(where: { $0.store == key.store }) {
      return key.isCounted ? ("without --count", "with --count") : ("with --count", "without it")
    }
    if !ofSetting.isEmpty { return ("", "with --store \(key.store.brief)") }
    if ofScenario.isEmpty { return ("", "with \(["--scenario", key.scenario.brief].shellCommand)") }
    let others = Set(ofScenario.map { settings($0.parameters) }).sorted()
    return (others.cut(most: 3), settings(key.parameters))
  }

  /// `with --set data.rows=150`
  private static func settings(_ parameters: String) -> String {
    if parameters.isEmpty { return "without --set" }
    let object = try? JSONSerialization.jsonObject(with: Data(parameters.utf8)) as? [String: Any]
    guard let object else { return "with \(parameters.brief)" }
    let words = object.sorted { $0.key < $1.key }.flatMap { ["--set", "\($0)=\(json($1))"] }
    return "with \(words.shellCommand.short)"
  }

  private static func json(_ value: Any) -> String {
    if let text = value as? String { return text }
    let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

extension GateReport {
  var missingParts: [MissingPart] {
    let sections = Set(
      (comparison.sections.map(\.key) + comparison.candidateOnly.map(\.key)).map(\.section))
    return result.missing.grouped(by: \.key.section)
      .map { MissingPart(Array($0.elements), candidate: sections) }
  }
}
