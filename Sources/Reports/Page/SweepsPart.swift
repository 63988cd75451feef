import Judging

/// The sweeps of a scenario: a chart for each field.
struct SweepsPart {
  let sweeps: [(id: String, sweep: Sweep)]
  /// The side, in a comparison.
  let role: Side?
  let sections: [PageSection]
  /// Whether the page's title is the answer of these sweeps.
  let isAlone: Bool

  var block: Document.Block {
    .section(
      title,
      [
        isAlone ? nil : .paragraph(headline, .answer),
        role.map { .paragraph("Of the \($0.rawValue) alone.", .note) },
      ].compactMap { $0 } + sweeps.map(figure),
      Document.Place(kind: .part, id: sweeps[0].id))
  }

  var headline: String {
    let own = sections.map(\.summary).filter { section in
      sweeps.contains { $0.sweep.scenario == section.scenario && $0.sweep.store == section.store }
    }
    return PageText.sentences(Phrases.short(sweeps.map(\.sweep), own))
  }

  var title: String {
    let sweep = sweeps[0].sweep
    let stores = Set(sections.map(\.summary).filter { $0.scenario == sweep.scenario }.map(\.store))
    let store = stores.count > 1 ? ", \(PageText.brief(sweep.store)) store" : ""
    return PageText.title(sweep.scenario) + ": who wins where" + store
  }

  private func figure(_ id: String, _ sweep: Sweep) -> Document.Block {
    .section(
      isAlone && sweeps.count == 1
        ? PageText.title(sweep.field)
        : PageText.sentences(Phrases.short(sweep, among: sweeps.map(\.sweep))),
      [
        .table(Table(chartOf: sweep, id: "\(id)-sweep-table")),
        .links(PageText.sentences(Phrases.crossovers(sweep)) + " Each value: ", links(sweep)),
      ], Document.Place(kind: .figure, id: "\(id)-sweep-figure"))
  }

  private func links(_ sweep: Sweep) -> [Document.Link] {
    let settings = sections.filter {
      $0.summary.scenario == sweep.scenario && $0.summary.store == sweep.store
    }
    let targets = Dictionary(
      settings.map { (sweep.value(of: $0.summary.parameters), $0.id) }
    ) { first, _ in first }
    return sweep.points.compactMap { point in
      targets[point.value].map {
        .init(target: $0, text: PageText.brief(point.value.label))
      }
    }
  }
}
