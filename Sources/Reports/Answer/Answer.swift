package import Judging
import Measurement

package enum Answer {
  package typealias Format = OutputFormat<CellsFormat>

  package enum Width: Sendable {
    /// At most 100 characters wide.
    case narrow
    case wide
  }

  package enum Detail: Sendable {
    /// Table and conclusion.
    case brief
    case usual
    /// Also the meaning of the columns, what decides, every doubt, and prices.
    case explained
  }

  /// - Parameter style: of a terminal, for `table`.
  package static func render(
    _ summary: Summary, as format: Format, style: TextStyle, width: Width = .narrow,
    detail: Detail = .usual
  ) throws -> String {
    switch format {
    case .document(let format): format.render(document(summary, width, detail), style)
    case .data(.json): try json(summary)
    case .data(.csv): CellCSV.text(summary.cells)
    }
  }

  static func document(
    _ summary: Summary, _ width: Width = .narrow, _ detail: Detail = .usual
  ) -> Document {
    let nothing: [Document.Block] = [.paragraph("Nothing was measured.")]
    return Document(
      blocks: summary.sections.map { section($0, width, detail) } + summary.sweeps.map(section)
        + (summary.sections.isEmpty ? nothing : []) + limits(summary, detail))
  }

  private static func section(
    _ section: SummarySection, _ width: Width, _ detail: Detail
  ) -> Document.Block {
    if section.counted ?? false { return CountedAnswer.section(section) }
    let conclusion = Document.Block.paragraph(Phrases.long(section), .answer)
    let result: [Document.Block] =
      [
        .table(table(section, width)), .paragraph(legend(section, width, detail), .legend),
        .list(Sentences.failures(section)), conclusion,
      ]
    guard detail != .brief else { return .section(Sentences.title(section), result) }
    let reasons = [Phrases.why(section.conclusion), Sentences.doubts(section)]
      .compactMap { $0 }.map { Document.Block.paragraph($0, .reason) }
    let more =
      detail == .explained ? [Phrases.background(section), Sentences.defaults(section)] : []
    let explanations = more.compactMap { $0 }.map { Document.Block.paragraph($0) }
    let lead = Document.Block.lines(beginning(section, detail))
    return .section(Sentences.title(section), [lead] + result + reasons + explanations)
  }

  /// A good grade needs no line of its own.
  private static func beginning(_ section: SummarySection, _ detail: Detail) -> [String] {
    let (work, trust) = (Sentences.work(section), Sentences.trust(section, detail))
    let isShort = section.trust.grade == .good && detail == .usual
    return isShort ? ["\(work). \(trust)"] : [work, trust]
  }

  private static func legend(
    _ section: SummarySection, _ width: Width, _ detail: Detail
  ) -> String {
    let letters =
      section.conclusion.order.isRanked
      ? "Topologies with a common letter are not separated. " : ""
    switch (detail, width) {
    case (.explained, .narrow): return letters + AnswerColumns.legend(section)
    case (_, .wide): return letters + AnswerColumns.wideLegend(section)
    case (_, .narrow): return letters + AnswerColumns.briefLegend
    }
  }

  private static func limits(_ summary: Summary, _ detail: Detail) -> [Document.Block] {
    switch detail {
    case .brief: []
    case .usual: [.paragraph("\(Sentences.validity) --explain says more.", .aside)]
    case .explained: [.paragraph(Sentences.limits(summary.sections), .aside)]
    }
  }

  private static func table(_ section: SummarySection, _ width: Width) -> Table {
    let question = section.question
    let columns =
      (width == .wide ? AnswerColumns.all(question) : AnswerColumns.main(question))
      + AnswerColumns.answers(section)
    let best = Set(section.conclusion.order.best.map(\.topology))
    return Table(
      section.topologies, [AnswerColumns.rank, AnswerColumns.name] + columns,
      isEmphasised: { best.contains($0.name) && best.count < section.topologies.count })
  }

  private static func section(_ sweep: Sweep) -> Document.Block {
    .section(
      Sentences.title(sweep),
      [
        .table(Table(sweep)), .paragraph(Sentences.legend(sweep), .legend),
        .paragraph(Phrases.crossovers(sweep), .answer),
      ])
  }

  package static let jsonSchema = "topobench-answer/3"

  package static func json(_ summary: Summary) throws -> String {
    let conclusions = summary.sections.map {
      "\(Sentences.title($0)): \(Phrases.long($0))"
    }
    let crossovers = summary.sweeps.map { "\(Sentences.title($0)): \(Phrases.crossovers($0))" }
    return try JSONDocument(
      schema: jsonSchema, conclusion: (conclusions + crossovers).joined(separator: "\n"),
      notes: [Sentences.limits(summary.sections)], value: summary
    ).text()
  }
}

extension Sentences {
  package static func failures(_ section: SummarySection) -> [String] {
    section.topologies.flatMap { topology in
      topology.failures.map { "\(topology.name): \($0.clause)" }
    }
  }
}

extension TopologySummary.Failure {
  /// `2 cells crashed, the first: ended by signal 11`
  var clause: String {
    "\(Figures.counted(cells, "cell")) \(status.rawValue)"
      + (error.isEmpty ? "" : ", the first: \(error)")
  }
}

extension TopologySummary {
  /// Main's instructions that no counted part contains. Nil unless all parts were counted.
  fileprivate var instructionsInNoPart: Double? {
    let parts = Metric.instructionParts.compactMap { median($0) }
    guard parts.count == Metric.instructionParts.count, let main = median(.mainInstructions)
    else { return nil }
    // Each part is counted in a process of its own, which differs a little.
    return max(0, main - parts.reduce(0, +))
  }
}

enum CountedAnswer {
  static func section(_ section: SummarySection) -> Document.Block {
    .section(
      Sentences.title(section) + ", counted",
      [.paragraph(Sentences.work(section))] + blocks(section)
        + [Sentences.doubts(section)].compactMap { $0 }.map { .paragraph($0) })
  }

  static func blocks(_ section: SummarySection) -> [Document.Block] {
    [
      .table(table(section)), .paragraph(Sentences.countedLegend(section), .legend),
      .list(Sentences.failures(section)), .paragraph(Sentences.counted(section), .answer),
    ]
  }

  /// Shows only the phase that the scenario asks about. Workers are counted while changes arrive.
  private static func table(_ section: SummarySection) -> Table {
    let question = section.question
    let workers =
      question.phase == .change ? [column("workers", "instructions", .workerInstructions)] : []
    let rest = hasParts(section) ? [inNoPart] : []
    return Table(
      section.topologies,
      [AnswerColumns.name, column("main", "instructions", question.instructions)] + workers
        + columns(Metric.instructionParts, section) + rest + columns(Metrics.exactCounts, section),
      caption: "Instructions and exact counts: medians over trials.")
  }

  /// Of the phase asked about, without columns of zeros.
  private static func columns(
    _ metrics: [Metric], _ section: SummarySection
  ) -> [ValueColumn<TopologySummary>] {
    let phase = section.question.phase
    return metrics.filter { metric in
      phase.has(metric) && section.topologies.contains { $0.median(metric) ?? 0 > 0 }
    }
    .map { column(phase.heading($0), "", $0) }
  }

  /// Only instructions of changes are counted in parts.
  static func hasParts(_ section: SummarySection) -> Bool {
    section.question.phase == .change
      && section.topologies.contains { $0.instructionsInNoPart != nil }
  }

  private static let inNoPart = ValueColumn<TopologySummary>("in no part", "", .figure) {
    $0.instructionsInNoPart.map(Figures.count) ?? Table.missing
  }

  private static func column(
    _ heading: String, _ unit: String, _ metric: Metric
  ) -> ValueColumn<TopologySummary> {
    ValueColumn(heading, unit, .figure) { $0.median(metric).map(Figures.count) ?? Table.missing }
  }
}

extension Question.Phase {
  /// Whether a count is of this phase. Those without the name of a phase are of the changes.
  fileprivate func has(_ count: Metric) -> Bool {
    let named = Self.allCases.first { count.name.hasPrefix("\($0.rawValue)_") }
    return self == named ?? .change
  }

  /// `rows read`
  fileprivate func heading(_ count: Metric) -> String {
    let prefix = self == .change ? "main_" : "\(rawValue)_"
    return count.name.replacing(prefix, with: "").replacing("_", with: " ")
  }
}

extension Sentences {
  static let blindness = "Instructions do not show waits, cache misses or syncs; times show them."

  static func countedLegend(_ section: SummarySection) -> String {
    let phase = section.question.phase
    let place = phase.lead.map { " \($0)" } ?? ""
    let workers = phase == .change ? " workers: instructions in the workers' blocks." : ""
    let rest =
      CountedAnswer.hasParts(section)
      ? " in no part: the rest of the column main, such as freeing what a worker saved." : ""
    return "main: instructions in main's database work\(place).\(workers)\(rest)"
      + " Other columns: exact counts on main."
  }

  static func counted(_ section: SummarySection) -> String {
    let counts = section.topologies.compactMap { topology in
      topology.median(section.question.instructions).map { (topology.name, $0) }
    }
    let lead = section.question.phase.lead.map { "\($0.capitalised), " } ?? ""
    guard let best = counts.min(by: { $0.1 < $1.1 }) else {
      return "Nothing can be concluded: no cell was counted. \(blindness)"
    }
    return "\(lead)\(best.0) needs the fewest instructions on main, \(Figures.count(best.1)). "
      + blindness
  }
}
