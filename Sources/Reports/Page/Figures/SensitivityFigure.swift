import Judging
import Measurement

/// The price ratios between which the order of topologies stays.
struct SensitivityFigure {
  let section: PageSection
  let sensitivity: Sensitivity

  init?(section: PageSection) {
    guard let sensitivity = Sensitivity(section.summary) else { return nil }
    self.section = section
    self.sensitivity = sensitivity
  }

  var figure: Figure {
    let ranges = sensitivity.stableRanges
    return Figure(
      "prices", of: section, heading: "What other prices would change",
      caption: PageText.sentences(Sentences.prices(sensitivity))
        + (ranges.isEmpty
          ? "" : " Bar: the order stays. Dot: the core’s own price. Line: two topologies turn."),
      chart: RowChart(
        title: "At which price ratios the order turns",
        description: ranges.map { "\(phrase($0)): \(Sentences.bounds($0)) push-ups" }
          .joined(separator: "; "),
        axis: .logarithmic(
          from: Sensitivity.ratios.lowerBound, to: Sensitivity.ratios.upperBound,
          "price, push-ups (each step is ten times as much)"),
        height: 14, rows: ranges.map(row)),
      note: ranges.isEmpty ? "No price of one event, changed alone, turns the order." : nil,
      table: table)
  }

  private func phrase(_ range: Sensitivity.StableRange) -> String {
    Sentences.priced(range.event)
  }

  private func row(_ range: Sensitivity.StableRange) -> RowChart.Row {
    let limits = Sensitivity.ratios
    let turns = sensitivity.turns.filter { $0.event == range.event }
    let value = RowChart.ValueText(
      figure: "\(Sentences.bounds(range)) push-ups", after: " (here \(Figures.short(range.here)))")
    return RowChart.Row(label: phrase(range), value: value) { marks, y in
      .joined(
        [
          marks.bar(
            from: range.lower ?? limits.lowerBound, to: range.upper ?? limits.upperBound, y: y,
            height: 12, "total", "the order stays")
        ] + turns.map { marks.stroke($0.ratio, from: y - 2, to: y + 14, "whisker") }
          + [marks.dot(range.here, y: y + 6, "dot", "the core: \(Figures.short(range.here))")])
    }
  }

  private var table: Table {
    Table(
      sensitivity.turns, Self.columns,
      caption: "Turns: above this price, in push-ups, one topology overtakes another.")
  }

  private static let columns: [ValueColumn<Sensitivity.Turn>] = [
    ValueColumn("overtaking", "", .heading) { PageText.brief($0.overtaking) },
    ValueColumn("overtaken", "", .words) { PageText.brief($0.overtaken) },
    ValueColumn("price of", "", .words) { Sentences.priced($0.event) },
    .number("above, push-ups") { $0.ratio }, .number("here") { $0.here },
  ]
}
