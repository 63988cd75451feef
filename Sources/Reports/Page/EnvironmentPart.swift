import Foundation
import Judging
import Measurement
import Support

struct EnvironmentPart {
  let file: PageSide.File
  let role: Side?

  var block: Document.Block {
    let name = PageText.brief(file.name, most: 100)
    return .section(
      name + (role.map { " (\($0.rawValue))" } ?? ""), content.compactMap { $0 })
  }

  /// `AMD EPYC, 2 cores, Debian GNU/Linux 12`
  static func machine(_ environment: Data) -> String? {
    let fields = fields(environment) ?? [:]
    let cores = fields["cores"].map { "\($0) core\("\($0)" == "1" ? "" : "s")" }
    let clauses = [fields["cpu"].map { "\($0)" }, cores, fields["os"].map { "\($0)" }]
      .compactMap { $0 }
    return clauses.isEmpty
      ? nil : clauses.map { PageText.brief($0, most: 40) }.joined(separator: ", ")
  }

  private static func fields(_ environment: Data) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: environment)) as? [String: Any]
  }

  private var content: [Document.Block?] {
    guard let data = file.environment else {
      return [
        .paragraph("No environment file lies beside it, so nothing is known of the machine.", .note)
      ]
    }
    guard let fields = Self.fields(data) else {
      return [.paragraph("The environment file beside it cannot be read.", .note)]
    }
    let command = (fields["command_line"] as? [String])?.shellCommand
    // The run read the machine once, before its cells. Each cell measures the time of a sync again.
    let lines = String(decoding: data, as: UTF8.self)
      .replacing("\"\(Metric.sync.name)\"", with: "\"sync_before_run_ms\"").split(separator: "\n")
    return [
      (fields["diagnoses"] as? [[String: String]]).map(diagnoses),
      command.map { .paragraph("Command: \(PageText.brief($0, most: 2000))", .note) },
      .section(
        "The machine, the program and every parameter", .folded,
        [
          .csv(
            "The environment file beside the report.",
            lines.map { PageText.brief(String($0), most: 500) })
        ]),
    ]
  }

  private func diagnoses(_ items: [[String: String]]) -> Document.Block {
    guard !items.isEmpty else {
      return .paragraph("The check before the run found nothing doubtful.", .note)
    }
    let clauses = items.map { item in
      Diagnosis(
        item["what"] ?? "", evidence: item["evidence"] ?? "", remedy: item["remedy"] ?? ""
      ).clause
    }
    return .section(
      "Findings of the check before the run", [.list(clauses.map(PageText.sentences))])
  }
}
