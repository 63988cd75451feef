package import Judging
import Measurement

/// What a run says, as text: every format is made from one summary.
package enum Answer {
  package enum Format: String, Sendable, CaseIterable {
    case table, markdown, json, csv
  }

  /// - Parameter style: for `table` only.
  package static func render(_ summary: Summary, as format: Format, style: TextStyle) -> String {
    switch format {
    case .table: text(summary, style: style)
    case .markdown: markdown(summary)
    case .json: json(summary)
    case .csv: CellCSV.text(summary.cells)
    }
  }
}

extension Sentences {
  /// What became of the cells that are not counted.
  static func failure(_ failure: TopologySummary.Failure, of topology: String) -> String {
    let error = failure.error.isEmpty ? "" : ", the first: \(failure.error)"
    return "\(topology): \(counted(failure.cells, "cell")) \(failure.status.rawValue)\(error)"
  }
}
