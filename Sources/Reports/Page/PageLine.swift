import Judging
import Measurement

/// A row of each figure: the results of one topology, or of one side of it.
struct PageLine: Sendable {
  /// Nil without a comparison.
  let role: Side?
  let summary: TopologySummary
  /// The ok ones.
  let cells: [CellResult]
  let all: [CellResult]
  let medianTrial: MedianTrial?
  /// The median trial's median repeat.
  let timeline: PageSide.Timeline

  init(
    _ summary: TopologySummary, of section: SummarySection, in side: PageSide, role: Side?
  ) {
    (self.summary, self.role) = (summary, role)
    all = side.trials[section.key(summary.name), default: []]
    cells = all.filter { $0.status == .ok }
    medianTrial = MedianTrial(all)
    let shown = medianTrial?.shown
    timeline =
      shown.flatMap { side.timelines[CellKey($0)] }
      ?? .unknown(shown == nil ? "no cell ended ok" : "its cell's document was not read")
  }

  /// Above a row of a chart.
  var label: String {
    switch role {
    case .baseline: "\(PageText.brief(summary.name, most: 18)), baseline"
    case .candidate: "candidate"
    case nil: summary.name
    }
  }

  var name: String { PageText.brief(summary.name) + (role.map { ", \($0.rawValue)" } ?? "") }

  var sample: WindowSample? {
    if case .known(let sample) = timeline { sample } else { nil }
  }

  func values(_ metric: Metric) -> [Double] { cells.compactMap { $0.metrics[metric] } }

  func median(_ metric: Metric) -> Double? { summary.median(metric) }

  func interval(_ metric: Metric) -> MedianInterval? { summary.estimate(metric)?.interval }
}

extension [PageLine] {
  func largest(_ metric: Metric) -> Double? { flatMap { $0.values(metric) }.max() }

  func measured(_ metric: Metric) -> [PageLine] { filter { $0.median(metric) != nil } }

  /// The uses of main in the timelines, and the longest one in ms.
  var uses: Set<MainUse> {
    Set(flatMap { $0.sample?.gaps ?? [] }.map { MainUse(cause: $0.cause) })
  }
  var window: Double { compactMap { $0.sample?.total }.max() ?? 0 }
}

extension ValueColumn<PageLine> {
  static var topology: ValueColumn { leading("topology", .heading) { $0.name } }

  static func median(_ heading: String, _ metric: Metric) -> ValueColumn {
    number(heading) { $0.median(metric) }
  }
}
