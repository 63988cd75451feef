package import Judging
import Measurement

/// What a gate says, as text: every format is made from one object.
package struct GateReport: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case table, markdown, json, junit, github
  }

  package let result: GateResult
  /// The same reports with every figure that is shown, gated or not, and what was not compared.
  package let comparison: Comparison

  package init(_ result: GateResult, _ comparison: Comparison) {
    self.result = result
    self.comparison = comparison
  }

  /// - Parameter style: for `table` only.
  package func render(as format: Format, style: TextStyle) -> String {
    switch format {
    case .table: text(style: style)
    case .markdown: markdown()
    case .json: json()
    case .junit: junit()
    case .github: annotations()
    }
  }

  /// Everything that was decided, in the order in which it is told.
  var lines: [GateLine] {
    result.findings.map(GateLine.init) + result.promises.map(GateLine.init)
      + result.expectations.map(GateLine.init)
  }

  /// What changed and was not judged by the gate.
  var shown: [(topology: String, row: Comparison.Row)] {
    let told = Set(result.findings.map(\.metric))
    return comparison.topologies.flatMap { topology in
      topology.rows.filter { !told.contains($0.metric.name) }
        .filter { $0.verdict == .better || $0.verdict == .worse }
        .map { (topology.name, $0) }
    }
  }
}
