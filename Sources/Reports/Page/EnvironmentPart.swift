import Foundation
import Judging
import Measurement
import Support

struct EnvironmentPart {
  let file: PageSide.File
  let role: Side?
  /// `sync_ms` of the file's cells. Nil if not measured, or if they are not of this file alone.
  let sync: Double?

  var block: Document.Block {
    let name = PageText.brief(file.name, most: 100)
    return .section(name + (role.map { " (\($0.rawValue))" } ?? ""), .environment, content)
  }

  /// `AMD EPYC, 2 cores, Debian GNU/Linux 12`
  static func machine(_ environment: Data) -> String? {
    let document = try? JSONDecoder().decode([String: EnvironmentValue].self, from: environment)
    let cores = document?["cores"].map { "\($0.text) core\($0.text == "1" ? "" : "s")" }
    let clauses = [document?["cpu"]?.text, cores, document?["os"]?.text].compactMap { $0 }
    return clauses.isEmpty
      ? nil : clauses.map { PageText.brief($0, most: 40) }.joined(separator: ", ")
  }

  private var content: [Document.Block] {
    guard let data = file.environment else {
      return [
        .paragraph("No environment file lies beside it, so nothing is known of the machine.", .note)
      ]
    }
    guard let document = try? JSONDecoder().decode([String: EnvironmentValue].self, from: data)
    else { return [.paragraph("The environment file beside it cannot be read.", .note)] }
    var shown = document.filter { !["diagnoses", "scenarios"].contains($0.key) }
      .mapValues(\.withNamesOfReadings)
    // The run read the machine once, before its cells. Each cell measures the time of a sync again.
    shown[Self.syncBefore] = shown.removeValue(forKey: Metric.sync.name)
    shown[Metric.sync.name] = sync.map { .plain(Figures.short($0)) }
    if case .list(let words)? = shown["command_line"] {
      shown["command_line"] = .plain(words.map(\.text).shellCommand)
    }
    return [diagnoses(document["diagnoses"]), facts(shown, "The machine and the program")]
      + scenarios(document["scenarios"])
  }

  fileprivate static let syncBefore = "sync_before_run_ms"

  private func diagnoses(_ value: EnvironmentValue?) -> Document.Block {
    guard case .list(let items)? = value, !items.isEmpty else {
      return .paragraph("It names nothing that makes the machine doubtful.")
    }
    return .section("What made the machine doubtful before the run", [.list(items.map(clause))])
  }

  private func clause(_ diagnosis: EnvironmentValue) -> String {
    guard case .object(let fields) = diagnosis, let what = fields["what"] else {
      return diagnosis.text
    }
    return Diagnosis(
      what.text, evidence: fields["evidence"]?.text ?? "", remedy: fields["remedy"]?.text ?? ""
    ).clause
  }

  private func scenarios(_ value: EnvironmentValue?) -> [Document.Block] {
    guard case .list(let scenarios)? = value else { return [] }
    return scenarios.compactMap { scenario in
      guard case .object(let fields) = scenario else { return nil }
      let name = PageText.brief(fields["name"]?.text ?? "a scenario")
      return .section(
        "Every parameter of \(name)", .folded, [facts(fields, "Parameters of \(name)")])
    }
  }

  private func facts(_ fields: [String: EnvironmentValue], _ caption: String) -> Document.Block {
    .terms(
      EnvironmentValue.object(fields).leaves.map {
        Document.Term(name: PageText.brief($0.0), text: $0.1)
      }, caption: caption)
  }
}

enum EnvironmentValue: Decodable {
  case object([String: EnvironmentValue])
  case list([EnvironmentValue])
  case plain(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let fields = try? container.decode([String: EnvironmentValue].self) {
      self = .object(fields)
    } else if let items = try? container.decode([EnvironmentValue].self) {
      self = .list(items)
    } else if let flag = try? container.decode(Bool.self) {
      self = .plain("\(flag)")
    } else if let number = try? container.decode(Double.self) {
      self = .plain(PageText.exact(number))
    } else {
      self = .plain((try? container.decode(String.self)) ?? "")
    }
  }

  var text: String {
    switch self {
    case .plain(let text): text
    case .list(let items): items.map(\.text).joined(separator: ", ")
    case .object: leaves.map { "\($0.0): \($0.1)" }.joined(separator: "; ")
    }
  }

  /// In readings of other machines, the time of a sync has its own name too.
  fileprivate var withNamesOfReadings: EnvironmentValue {
    switch self {
    case .plain: self
    case .list(let items): .list(items.map(\.withNamesOfReadings))
    case .object(let fields):
      .object(
        Dictionary(
          uniqueKeysWithValues: fields.map { name, value in
            (
              name == Metric.sync.name ? EnvironmentPart.syncBefore : name,
              value.withNamesOfReadings
            )
          }))
    }
  }

  /// Every value with its path of names, sorted.
  var leaves: [(String, String)] {
    guard case .object(let fields) = self else { return [("", text)] }
    return fields.sorted { $0.key < $1.key }.flatMap { name, value -> [(String, String)] in
      guard case .object = value else { return [(name, value.text)] }
      return value.leaves.map { ("\(name).\($0.0)", $0.1) }
    }
  }
}
