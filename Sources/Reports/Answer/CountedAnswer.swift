import Judging
import Measurement

enum CountedAnswer {
  static func section(_ section: SummarySection) -> Document.Block {
    .section(
      Sentences.title(section) + ", counted",
      [.paragraph(Sentences.work(section))] + blocks(section)
        + [.paragraph(Sentences.diagnoses(section))])
  }

  static func blocks(_ section: SummarySection) -> [Document.Block] {
    [
      .table(table(section)), .paragraph(Sentences.countedLegend, .legend),
      .list(Sentences.failures(section)), .paragraph(Sentences.counted(section), .answer),
    ]
  }

  private static func table(_ section: SummarySection) -> Table {
    let metrics = (Metric.instructionParts + Metrics.exactCounts).filter { metric in
      section.topologies.contains { $0.median(metric) ?? 0 > 0 }
    }
    return Table(
      section.topologies,
      [
        AnswerColumns.name, column("main", "instructions", .mainInstructions),
        column("workers", "instructions", .workerInstructions),
      ]
        + metrics.map {
          column($0.name.replacing("main_", with: "").replacing("_", with: " "), "", $0)
        })
  }

  private static func column(
    _ heading: String, _ unit: String, _ metric: Metric
  ) -> ValueColumn<TopologySummary> {
    ValueColumn(heading, unit, .figure) { $0.median(metric).map(Figures.count) ?? Table.missing }
  }
}

extension Sentences {
  static let blindness =
    "Instructions do not show waits, cache misses or syncs; times show them."

  static let countedLegend = """
    main: instructions in main's database work. workers: instructions in the workers' blocks. \
    Other columns: exact counts on main.
    """

  static func counted(_ section: SummarySection) -> String {
    let counts = section.topologies.compactMap { topology in
      topology.median(.mainInstructions).map { (topology.name, $0) }
    }
    guard let best = counts.min(by: { $0.1 < $1.1 }) else {
      return "Nothing can be concluded: no cell was counted. \(blindness)"
    }
    return "\(best.0) needs the fewest instructions on main, \(Figures.count(best.1)). "
      + blindness
  }
}
