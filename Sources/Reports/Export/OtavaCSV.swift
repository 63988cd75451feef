import Judging
import Support

extension ExportFormat {
  /// For Apache Otava's CSV importer, which reads a file as one test. It refuses empty fields, so a
  /// figure that a run lacks has no column.
  static let otava = ExportFormat(name: "otava", holdsHistory: true) { runs in
    let keys = runs.sharedKeys
    let header = ["time", "commit", "run", "host", "scenario"] + keys.map(\.name)
    let rows = runs.map { run in
      [run.startedAt, run.commit, run.run, run.host, run.scenario]
        + keys.map { run.estimates[$0].map { number($0.median) } ?? "" }
    }
    return ([header] + rows).map(CSVWriter.row).joined()
  }

  private static func number(_ value: Double) -> String {
    DecimalText.text(value, digits: 6) ?? "\(value)"
  }
}
