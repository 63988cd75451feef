package import Judging
import Measurement

// The page from top to bottom:
// the answer in one line · how far to trust it · links
// for each scenario with sweeps: who wins where
// for each scenario, parameters and store: gaps and blocked time of every trial · timeline ·
//   waits of a tap · answers · why · what decided this · folded: frames, times, prices and rows
// limits, machine and settings

package struct ReportPage {
  /// All known topologies. The page describes those that it shows.
  package var topologies: [TopologiesList.Entry] = []
  private let sides: [(role: Side?, side: PageSide)]
  private let sections: [PageSection]
  private let sweeps: [(id: String, sweep: Sweep)]
  private let comparison: Comparison?

  package init(_ side: PageSide) { self.init([(nil, side)]) }

  /// Shows the sections that both sides have, and names the others. The sides do not join stores.
  package init(baseline: PageSide, candidate: PageSide, comparison: Comparison) {
    self.init([(.baseline, baseline), (.candidate, candidate)], comparison)
  }

  private init(_ sides: [(role: Side?, side: PageSide)], _ comparison: Comparison? = nil) {
    self.sides = sides
    self.comparison = comparison
    let last = sides[sides.count - 1].side.summary
    let keys = comparison?.sections.map(\.key) ?? last.sections.map(\.key)
    let titles = SectionTitles.all(keys)
    let summaries = sides.map { _, side in
      Dictionary(side.summary.sections.map { ($0.key, $0) }) { first, _ in first }
    }
    sections = keys.enumerated().compactMap { index, key in
      let sources = zip(sides, summaries).compactMap { side, sections in
        sections[key].map { PageSection.Source(side: side.role, section: $0, reports: side.side) }
      }
      guard sources.count == sides.count else { return nil }
      var own = comparison
      own?.sections = comparison.map { [$0.sections[index]] } ?? []
      return PageSection("s\(index + 1)", titles[index], sources, own)
    }
    sweeps = last.sweeps.enumerated().map { (id: "w\($0 + 1)", sweep: $1) }
  }

  package var html: String {
    HTMLPage(
      kicker: kicker, heading: heading, trust: trust, contents: contents, parts: parts,
      source: source
    ).html
  }

  // MARK: The beginning

  private var isAlone: Bool { sections.count == 1 }
  private var isSweep: Bool {
    !sweeps.isEmpty && Set(sections.map(\.summary.scenario)).count == 1
  }

  private var heading: String {
    if let comparison { return PageText.sentences(Phrases.short(comparison.conclusion)) }
    if sections.isEmpty { return "Nothing was measured" }
    if isAlone { return sections[0].headline }
    return isSweep
      ? PageText.sentences(Phrases.short(sweeps.map(\.sweep), sections.map(\.summary)))
      : PageText.sentences(Phrases.short(sections.map(\.summary.conclusion)))
  }

  private var subject: String {
    let names = Set(sections.map(\.summary.scenario))
    if names.isEmpty { return comparison == nil ? "No result" : "Comparison without a common cell" }
    let name =
      names.count == 1
      ? PageText.brief(sections[0].summary.scenario) : "\(names.count) scenarios"
    return comparison == nil ? name : "Comparison: \(name)"
  }

  private var kicker: String {
    let question = sections.first?.question.map(PageText.sentences) ?? ""
    return Set(sections.map(\.summary.scenario)).count == 1 && !question.isEmpty
      ? question : "\(subject): what keeps the main queue free"
  }

  private var trust: HTML {
    tag("p", ["class": "trust"]) {
      grade
      for clause in [origin, machine].compactMap({ $0 }) { " · \(clause)" }
      " · "
      tag("a", ["href": "#limits"]) { "not Apple’s Core Data" }
    }
  }

  /// Nil if the page has a grade.
  private var ungraded: String? {
    if sections.isEmpty || comparison?.figures.isEmpty == true {
      return "nothing was \(comparison == nil ? "measured" : "compared")"
    }
    return comparison?.conclusion.timesDoubt == nil ? nil : "times are not judged"
  }

  private var grade: HTML {
    if let ungraded { return HTML("No trust is graded: \(ungraded)") }
    let trust = comparison.map { PageTrust($0) } ?? PageTrust(sections.map(\.summary.trust))
    // Counts have no part that says what decided.
    let isTimed = sections[0].summary.counted == nil
    let decided = isAlone && isTimed ? "#s1-decided" : "#environment"
    return .joined([
      tag("a", ["class": "grade \(trust.grade)", "href": decided]) { "Trust: \(trust.grade)" },
      HTML(PageText.sentences(trust.reason)),
    ])
  }

  private var origin: String? {
    let cells = sides[sides.count - 1].side.summary.cells
    guard !cells.isEmpty, !sections.isEmpty else { return nil }
    let count = Figures.counted(sections.map(\.summary.rounds), "trial")
    let topologies = Set(cells.map(\.topology)).count
    let ok = cells.count { $0.status == .ok }
    let failed = ok == cells.count ? "" : ", \(cells.count - ok) of \(cells.count) cells not ok"
    let days = Set(cells.map { String($0.startedAt.prefix(10)) }).sorted()
    return "\(count) of \(topologies == 1 ? "1 topology" : "\(topologies) topologies")\(failed), "
      + "\(PageText.brief(days[0]))"
  }

  private var source: String {
    let files = sides.flatMap { $0.side.files.map { PageText.brief($0.name) } }
    let from = files.isEmpty ? "" : " from \(files.cut())"
    return PageText.sentences("Made by topobench report\(from).")
  }

  private var machine: String? {
    let files = sides[sides.count - 1].side.files.compactMap(\.environment)
    return files.first.flatMap(EnvironmentPart.machine)
  }

  /// Answers are listed if the reader must open them to see them.
  private var contents: [Document.Link] {
    let parts = sweepGroups.map { group in
      link(group[0].id, sweepsPart(group).title, sweepsPart(group).headline)
    }
    let answers = sections.filter { !isSwept($0) }.map { section in
      link(section.id, section.title, section.headline)
    }
    return (isAlone || isSweep ? [] : parts + answers) + [Self.environment]
  }

  private func link(_ target: String, _ title: String, _ answer: String) -> Document.Link {
    Document.Link(
      target: target, text: PageText.title(title),
      detail: isFolded ? PageText.sentences(answer) : nil)
  }

  private static let environment = Document.Link(
    target: "environment", text: "Where and how it was measured")

  // MARK: The parts

  private var isFolded: Bool { sections.count > 2 }

  private var parts: [Document.Block] {
    let nothing: [Document.Block] =
      sections.isEmpty ? [.paragraph("Nothing was measured that could be shown.")] : []
    let answers = sections.map { section in
      SectionPart(
        section: section, isAlone: isAlone, isFolded: isFolded
      ).block
    }
    return nothing + sweepGroups.map { sweepsPart($0).block } + answers + notes
      + [knownAs, environments].compactMap { $0 }
  }

  /// What Core Data, GRDB and libraries call each topology on the page.
  private var knownAs: Document.Block? {
    let names = Set(sides.flatMap { $0.side.summary.cells.map(\.topology) })
    let terms = topologies.filter { names.contains($0.name) }.map { entry in
      let names = entry.knownAs.isEmpty ? "" : "\(entry.knownAs.joined(separator: "; ")). "
      return Document.Term(name: entry.name, text: names + entry.summary)
    }
    return .section(
      "What Core Data, GRDB and libraries call the topologies", .folded, id: "topologies",
      [terms.isEmpty ? nil : .terms(terms)])
  }

  private var notes: [Document.Block] {
    guard let comparison else { return [] }
    return [
      .section(
        "The comparison as a whole",
        (isAlone ? [] : [.paragraph(Phrases.long(comparison.conclusion))])
          + ComparisonSentences.reports([comparison]).map { .paragraph($0, .note) }
          + [.list(ComparisonReport.notes([comparison]).map(PageText.sentences))])
    ]
  }

  private var sweepGroups: [[(id: String, sweep: Sweep)]] {
    sweeps.grouped { "\($0.sweep.scenario) \($0.sweep.store)" }.map(\.elements)
  }

  private func isSwept(_ section: PageSection) -> Bool {
    sweeps.contains { _, sweep in
      sweep.scenario == section.summary.scenario && sweep.store == section.summary.store
        && sweep.value(of: section.summary.parameters) != nil
    }
  }

  private func sweepsPart(_ group: [(id: String, sweep: Sweep)]) -> SweepsPart {
    SweepsPart(
      sweeps: group, role: comparison == nil ? nil : .candidate, sections: sections,
      isAlone: isSweep && comparison == nil)
  }

  private var environments: Document.Block? {
    .section(
      Self.environment.text, .part, id: "environment",
      [
        .section(
          "Limits", .prose, id: "limits",
          [.paragraph(Sentences.limits(sides[sides.count - 1].side.summary.sections), .aside)])
      ]
        + sides.flatMap { role, side in
          side.files.map { EnvironmentPart(file: $0, role: role).block }
        })
  }
}
