import Measurement

/// The output of `topobench list metrics`.
package enum MetricsList {
  package static func render(as format: DocumentFormat = .table, style: TextStyle) -> String {
    let table = Table(Metrics.all, columns)
    return format.render(Document(blocks: [.table(table), .paragraph(note)]), style)
  }

  private static let note = """
    The end of a column's name is its unit. An exact count does not depend on scheduling: equal work \
    gives an equal count, so any increase is a regression. Times, percentiles and rates are judged \
    by statistics over trials. A metric without a better direction describes, and is not judged.
    """

  private static let columns: [ValueColumn<Metric>] = [
    .leading("metric", .code) { $0.name },
    ValueColumn("kind", "", .words) {
      $0.isIndependentOfScheduling ? "exact count" : $0.kind.rawValue
    },
    ValueColumn("better", "", .words) {
      $0.better == .neither ? Table.missing : $0.better.rawValue
    },
    ValueColumn("meaning", "", .sentence, stays: true) { $0.meaning },
  ]
}
