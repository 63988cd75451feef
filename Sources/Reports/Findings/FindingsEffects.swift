import Judging
import Measurement

/// A setting in which a topology serves no event for longer than a frame.
private struct Effect {
  let setting: String
  /// Each topology's median longest gap in milliseconds, the longest first.
  let gaps: [(name: String, gap: Double)]

  private static let frame = 1000.0 / 60
  private static let hang = 250.0

  init?(_ section: SummarySection) {
    gaps = section.topologies
      .compactMap { topology in topology.longestGap.map { (topology.name, $0.median) } }
      .sorted { ($1.gap, $0.name) < ($0.gap, $1.name) }
    guard let worst = gaps.first, worst.gap > Self.frame else { return nil }
    let values = section.parameters.filter { !"{}\"".contains($0) }
      .split(separator: ",").map { ", " + $0.replacing(":", with: " ") }
    setting = section.scenario + values.joined()
  }

  var worst: Double { gaps.first?.gap ?? 0 }

  var over: String {
    gaps.filter { $0.gap > Self.frame }.map { name, gap in
      "\(name) \(Figures.short(gap))" + (gap > Self.hang ? " (hang)" : "")
    }.joined(separator: ", ")
  }

  var within: String {
    let names = gaps.filter { $0.gap <= Self.frame }.map(\.name)
    return names.isEmpty ? Table.missing : names.joined(separator: ", ")
  }
}

extension FindingsPage {
  static func sectionOfEffects(_ findings: Findings) -> Document.Block {
    let sections = findings.reports.flatMap(\.summary.sections)
    let effects = sections.compactMap(Effect.init).sorted { $0.worst > $1.worst }
    let smooth =
      "\(sections.count - effects.count) of \(Figures.counted(sections.count, "setting"))"
    return .section(
      "When it matters",
      [
        .paragraph(
          """
          In \(smooth) no longest gap passes a frame at 60 Hz (16.7 ms), in the median over trials. \
          The others are below, the worst first. A gap over 250 ms counts as a hang.
          """),
        .table(Table(effects, columnsOfEffects)),
      ])
  }

  private static let columnsOfEffects = [
    ValueColumn<Effect>("setting", "", .words) { $0.setting },
    ValueColumn<Effect>("longest gap over a frame, ms", "", .words) { $0.over },
    ValueColumn<Effect>("within a frame", "", .words) { $0.within },
  ]
}
