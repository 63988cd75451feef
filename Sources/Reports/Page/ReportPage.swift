package import Judging
import Measurement

// The page:
//
//   reports and their limits · contents with each answer
//   for each sweep: changes of the order · cost over the field
//   for each scenario, parameters and store: answer · figures · doubts · rows
//   machine and settings
//
// Tables unfold by `<details>`, and hovering shows a `<title>`.

/// Reports as one page of HTML, for people.
package struct ReportPage {
  /// All topologies that can be measured. The page describes those that it shows.
  package var topologies: [TopologiesList.Entry] = []
  private let heading: String
  private let sides: [(role: Side?, side: PageSide)]
  private let sections: [PageSection]
  private let sweeps: [Sweep]
  private let comparison: Comparison?

  package init(_ side: PageSide) { self.init([(nil, side)]) }

  /// Compares two sides. Shows the sections of both, and names the others.
  package init(baseline: PageSide, candidate: PageSide, comparison: Comparison) {
    self.init([(.baseline, baseline), (.candidate, candidate)], comparison)
  }

  private init(_ sides: [(role: Side?, side: PageSide)], _ comparison: Comparison? = nil) {
    self.sides = sides
    self.comparison = comparison
    let last = sides[sides.count - 1].side.summary
    let keys = comparison?.sections.map(\.key) ?? last.sections.map { $0.key("") }
    sections = keys.enumerated().compactMap { index, key in
      let sources = sides.compactMap { role, side in
        side.summary.sections.first { $0.key("") == key }.map {
          PageSection.Source(side: role, section: $0, reports: side)
        }
      }
      guard sources.count == sides.count else { return nil }
      return PageSection("s\(index + 1)", sources, comparison?.sections[index])
    }
    sweeps = last.sweeps
    let name = Self.heading(sections.map(\.summary.scenario))
    heading = comparison == nil ? name : "Comparison: \(name)"
  }

  package var html: String {
    let renderer = HTMLRenderer()
    let body = HTML.joined([
      tag("a", ["class": "skip", "href": "#main"]) { "Skip to the answers" },
      PageStyle.hatches,
      tag("header") {
        tag("p", ["class": "kicker"]) { "topobench: what keeps the main queue free" }
        tag("h1") { heading }
        renderer.elements(introduction)
      },
      .joined(renderer.elements([contents])),
      tag("main", ["id": "main"]) { renderer.elements(parts) },
      tag("footer") {
        tag("p") { "Made by topobench report. This page fetches nothing and runs no script." }
      },
    ])
    return HTMLRenderer.page(title: "\(heading) — topobench", body: body)
  }

  private static func heading(_ scenarios: [String]) -> String {
    let names = Set(scenarios)
    return names.count == 1
      ? PageText.brief(scenarios[0]) : names.isEmpty ? "Nothing" : "\(names.count) scenarios"
  }

  // MARK: The beginning

  private var introduction: [Document.Block] {
    [
      .paragraph(origin, .note),
      .paragraph(Sentences.whatItIsNot(sides[sides.count - 1].side.summary), .aside),
    ]
  }

  /// The reports, or how many cells were measured when.
  private var origin: String {
    if let comparison { return ComparisonSentences.reports(comparison).joined(separator: " ") }
    let side = sides[0].side
    let cells = side.summary.cells
    let ok = cells.count { $0.status == .ok }
    let days = Set(cells.map { String($0.startedAt.prefix(10)) }).sorted()
    let when =
      days.isEmpty ? "" : days.count == 1 ? days[0] : "\(days[0]) to \(days[days.count - 1])"
    return "\(Sentences.counted(cells.count, "cell")), \(ok == cells.count ? "all" : "\(ok)") ok, "
      + "measured \(PageText.brief(when)), from "
      + "\(ComparisonSentences.cut(side.files.map { PageText.brief($0.name) }))."
  }

  private var contents: Document.Block {
    let answers = sections.map { section in
      Document.Link(
        target: section.id, text: PageText.title(section.title),
        detail: sections.count > 1 ? section.answers[0] : nil)
    }
    let swept = sweeps.enumerated().map { index, sweep in
      Document.Link(target: "w\(index + 1)", text: PageText.title(Sentences.title(sweep)))
    }
    let sweeps: [Document.Block] =
      swept.isEmpty ? [] : [.paragraph("Where a field was swept:"), .contents(swept)]
    let environment = Document.Link(target: "environment", text: Self.environment)
    return .section(
      "Answers", .contents, id: "contents",
      [.contents(answers)] + sweeps + [.links("", [environment])])
  }

  private static let environment = "Where and how it was measured"

  // MARK: The parts

  private var parts: [Document.Block] {
    let cells = sections.flatMap(\.lines).reduce(0) { $0 + $1.all.count }
    let nothing: [Document.Block] =
      sections.isEmpty ? [.paragraph("Nothing was measured that could be shown.")] : []
    let answers = sections.indices.flatMap { index in
      sweepParts(before: index)
        + [SectionPart(section: sections[index], cellsOnPage: cells).block]
    }
    return notes + nothing + answers + TopologiesPart(of: topologies, shown: sides).blocks
      + [environments]
  }

  private var notes: [Document.Block] {
    guard let comparison else { return [] }
    let notes = ComparisonReport.notes(comparison)
    guard sections.count != 1 || !notes.isEmpty else { return [] }
    let conclusion = ComparisonSentences.conclusion(comparison)
    return [
      .section(
        "The comparison as a whole", .doubts,
        [
          sections.count == 1 ? nil : .paragraph(conclusion, .answer),
          .list(notes.map(PageText.sentences)),
        ])
    ]
  }

  /// The sweeps of a scenario, before its first section.
  private func sweepParts(before index: Int) -> [Document.Block] {
    let scenario = sections[index].summary.scenario
    guard sections.firstIndex(where: { $0.summary.scenario == scenario }) == index else {
      return []
    }
    return sweeps.enumerated().filter { $0.element.scenario == scenario }.map { place, sweep in
      SweepPart(
        id: "w\(place + 1)", sweep: sweep, role: comparison == nil ? nil : .candidate,
        rows: sections.filter { $0.summary.scenario == scenario && $0.summary.store == sweep.store }
      ).block
    }
  }

  private var environments: Document.Block {
    .section(
      Self.environment, .part, id: "environment",
      sides.flatMap { role, side in
        side.files.map { EnvironmentPart(file: $0, role: role).block }
      })
  }
}

extension Comparison.Section {
  fileprivate var key: CellKey {
    CellKey(
      scenario: scenario, digest: scenarioDigest, parameters: parameters, topology: "",
      store: store)
  }
}
