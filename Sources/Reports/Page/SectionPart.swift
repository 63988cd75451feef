import Judging
import Measurement
import Support

struct SectionPart {
  let section: PageSection
  /// Whether the page has no other section, so that the page's title is the section's headline.
  let isAlone: Bool
  /// Whether all below the first chart is folded until the reader opens it.
  let isFolded: Bool

  var block: Document.Block {
    let isCounted = section.summary.counted ?? false
    let content: [Document.Block?] = isCounted ? counts + [rows] : timed
    return .section(
      PageText.title(section.title) + (isCounted ? ", counted" : ""),
      [.paragraph(section.work, .note)] + content.compactMap { $0 },
      Document.Place(kind: .part, id: section.id, cells: section.summary.key))
  }

  private var timed: [Document.Block?] {
    let title = isAlone ? nil : Document.Block.paragraph(section.headline, .answer)
    let details = [
      figure(
        "The main queue’s timeline" + (isAboutChanges ? "" : " while changes arrive"),
        section.timeline),
      figure("Waits of a tap", section.taps),
      figure("Answers to the user’s questions", section.answerTimes),
      figure("Why: exact counts of main’s work", why),
      decided, more, rows,
    ]
    return [title] + changes
      + [section.board.map(Document.Block.table), .list(section.failures.map(PageText.sentences))]
      + (isFolded
        ? [.section("Timeline, waits of a tap, why, frames, times and rows", .folded, details)]
        : details)
  }

  private var isAboutChanges: Bool { section.summary.question.phase == .change }

  private func figure(_ heading: String, _ table: Table?) -> Document.Block? {
    .section(heading, .figure, [table.map { .table($0) }])
  }

  // MARK: Comparisons and counts

  private var changes: [Document.Block?] {
    guard let comparison = section.comparison else { return [] }
    var chart = Table(changesOf: comparison.sections[0])
    chart?.id = "\(section.id)-change-chart"
    return [
      figure("What changed", chart),
      .section("Every compared figure", .folded, [.table(figures(comparison))]),
    ]
  }

  /// - Parameter comparison: of this section alone.
  private func figures(_ comparison: Comparison) -> Table {
    var table = ComparisonTable([comparison.sections[0]], [comparison], .everything).table
    table.caption = "Every figure that was compared: medians, their change, and the verdict."
    table.id = "\(section.id)-change-table"
    return table
  }

  private var counts: [Document.Block?] {
    guard let comparison = section.comparison else {
      return CountedAnswer.blocks(section.summary)
    }
    return [
      .paragraph(Phrases.long(comparison.conclusion), .answer),
      .table(figures(comparison)), .paragraph(Sentences.blindness, .legend),
    ]
  }

  // MARK: Why

  private var why: Table? {
    let counts = Metrics.exactCounts.filter { count in
      section.shown.contains { $0.values(count).contains { $0 > 0 } }
    }
    guard !counts.isEmpty else { return nil }
    var table = Table(
      section.shown, [.topology] + counts.map(column),
      caption: "\(ranges) Columns of zeros are left out.")
    table.id = "\(section.id)-counts-table"
    return table
  }

  /// Which ranges follow from the wiring or the scenario, and which have no known reason.
  private var ranges: String {
    let all = section.shown.flatMap { line in
      line.cells.unsteadyCounts.map { count in
        (
          name: line.nameInSentence, count: count.meaning,
          reason: line.facts.reason(count, of: line.summary.name)
        )
      }
    }
    guard !all.isEmpty else {
      return "All trials agree: the machine’s speed does not change these."
    }
    return all.grouped { $0.reason ?? "" }.map { reason, ranges in
      let lines = ranges.grouped(by: \.name)
      guard reason.isEmpty else {
        return "Trials may differ in \(lines.map(\.key).cut()), because \(reason)."
      }
      let names = lines.map { "\($0) (\($1.map(\.count).listed))" }
      return "Trials disagree for no known reason in \(names.cut())."
    }.joined(separator: " ")
  }

  private func column(_ count: Metric) -> ValueColumn<PageLine> {
    ValueColumn(column: Table.Column(heading: count.meaning)) { line in
      let values = line.values(count)
      let smallest = Table.Cell(values.min(), Figures.count)
      let largest = Table.Cell(values.max(), Figures.count)
      return values.min() == values.max() ? smallest : smallest + "–" + largest
    }
  }

  private var decided: Document.Block? {
    let texts =
      [isAlone ? nil : section.question].compactMap { $0 } + section.answers + section.doubts
      + [
        Phrases.background(section.summary), Sentences.defaults(section.summary),
        section.missingTimelines,
      ].compactMap { $0 }
    return .section(
      "What decided this, and how far to trust it", .prose, id: "\(section.id)-decided",
      texts.map { .paragraph(PageText.sentences($0)) })
  }

  private var more: Document.Block? {
    .section(
      "Frames, times and prices", .folded,
      [
        figure("Opening the list, and scrolling through it", section.phases),
        figure("Late frames", section.frames), figure("Times", section.times),
        Sensitivity(section.summary).map(prices),
      ])
  }

  private func prices(_ sensitivity: Sensitivity) -> Document.Block {
    var chart = Table(sensitivity)
    chart?.id = "\(section.id)-prices-chart"
    let sentences = PageText.sentences(
      Sentences.prices(sensitivity, of: section.summary.topologies.count))
    return .section(
      "What other prices would change",
      [.paragraph(sentences, .legend)] + [chart].compactMap { $0 }.map { .table($0) })
  }

  // MARK: Data

  private var rows: Document.Block? {
    SectionRows(section: section).block
  }
}

/// The numbers behind a section's charts.
struct SectionRows {
  let section: PageSection

  /// Exact counts have a table of their own, and are here only where trials disagree.
  private static let metrics: [Metric] =
    Metric.blocked + [
      .mainLongestGap, .longestGapCause, .framesDue, .framesLate, .hitchRate, .tapP50, .tapP95,
      .tapP99, .tapMax, .saved, .durable, .visible, .total, .mainDeferred,
    ] + Metric.instructions + Metric.phaseInstructions + Metric.instructionParts

  var block: Document.Block? {
    let isCut = section.lines.contains { $0.all.count > section.mostTrials }
    let files =
      section.files.map { PageText.brief($0) }.cut()
      + (isCut ? " (the first \(Figures.whole(section.mostTrials)) of a topology)" : "")
    return .section(
      "Data: " + (blocked == nil ? "every trial" : "blocked time and its parts, and every trial"),
      .folded, id: "\(section.id)-data",
      [
        blocked,
        .csv(
          "One line a cell, from \(files); times in ms. Columns of zeros are left out.", lines,
          id: "\(section.id)-rows"),
      ])
  }

  /// Nil if the answer is about another phase: this time is that of the window of changes.
  private var blocked: Document.Block? {
    let metric = Question.change.blocked
    guard section.summary.question.phase == .change else { return nil }
    let lines = section.shown.measured(metric)
    guard !lines.isEmpty else { return nil }
    let columns: [ValueColumn<PageLine>] = [
      .leading("topology", .heading) { $0.name },
      .number("trials", Figures.count) { Double($0.values(metric).count) },
      .median("median", metric), .number("from") { $0.interval(metric)?.lower },
      .number("to") { $0.interval(metric)?.upper },
    ]
    var table = Table(
      lines,
      columns
        + MainUse.columns.map { use, column in
          .number(use.words) { $0.medianTrial?.mean(column) }
        },
      caption: "Blocked time, ms: median and 95 % interval over trials; its parts, of the median.")
    table.id = "\(section.id)-blocked-table"
    return .table(table)
  }

  private var lines: [String] {
    let counts = Metrics.exactCounts.filter { metric in
      section.lines.contains { Set($0.values(metric)).count > 1 }
    }
    let question = section.summary.question
    let asked = question.phase == .change ? [] : question.times
    let metrics = (asked + Self.metrics.filter { !asked.contains($0) } + counts).filter { metric in
      metric.kind == .label
        || section.lines.contains { $0.values(metric).contains { $0 != 0 } }
    }
    let heading = ["topology", "trial", "status"] + metrics.map(\.name)
    let rows = section.lines.flatMap { line in
      line.all.prefix(line.mostTrials).map { cell in
        [line.name, "\(cell.trial)", cell.status.rawValue]
          + (cell.status == .ok
            ? metrics.map { text($0, of: cell) } : [PageText.brief(cell.error)])
      }
    }
    return ([heading] + rows).map { $0.map(CSVWriter.field).joined(separator: ",") }
  }

  private func text(_ metric: Metric, of cell: CellResult) -> String {
    if metric.kind == .label { return PageText.brief(cell.metrics[label: metric] ?? "") }
    return cell.metrics[metric].map(PageText.exact) ?? ""
  }
}
