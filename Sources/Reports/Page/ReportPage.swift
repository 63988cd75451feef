package import Judging
import Measurement

// The page:
//
//   reports and their limits · contents with each answer
//   for each sweep: changes of the order · cost over the field
//   for each scenario, parameters and store: answer · figures · doubts · rows
//   machine and settings
//
// The page is one file that fetches nothing and runs nothing. Shapes are SVG, tables unfold by
// `<details>`, and hovering shows a `<title>`.

/// Reports as one page of HTML, for people.
package struct ReportPage {
  private let heading: String
  private let sides: [(role: Side?, side: PageSide)]
  private let sections: [PageSection]
  private let sweeps: [Sweep]
  private let comparison: Comparison?

  package init(_ side: PageSide) {
    sides = [(nil, side)]
    sections = side.summary.sections.enumerated().map { index, section in
      PageSection("s\(index + 1)", section, of: side)
    }
    sweeps = side.summary.sweeps
    comparison = nil
    heading = Self.heading(sections.map(\.summary.scenario))
  }

  /// Compares two sides. Shows the sections of both, and names the others.
  package init(baseline: PageSide, candidate: PageSide, comparison: Comparison) {
    sides = [(.baseline, baseline), (.candidate, candidate)]
    sections = comparison.sections.enumerated().compactMap { index, section in
      guard let before = baseline.summary.section(section),
        let after = candidate.summary.section(section)
      else { return nil }
      return PageSection(
        "s\(index + 1)", section, baseline: baseline, candidate: candidate,
        sections: (before, after))
    }
    sweeps = candidate.summary.sweeps
    self.comparison = comparison
    heading = "Comparison: \(Self.heading(sections.map(\.summary.scenario)))"
  }

  package var html: String {
    HTML.document(head: head, body: body)
  }

  private static func heading(_ scenarios: [String]) -> String {
    let names = Set(scenarios)
    return names.count == 1
      ? PageText.brief(scenarios[0]) : names.isEmpty ? "Nothing" : "\(names.count) scenarios"
  }

  private var head: HTML {
    .joined([
      .void("meta", ["charset": "utf-8"]),
      .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .void(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content": "default-src 'none'; style-src 'unsafe-inline'",
        ]),
      .void("meta", ["name": "color-scheme", "content": "light dark"]),
      tag("title") { "\(heading) — topobench" },
      HTML.style(PageStyle.rules),
    ])
  }

  private var body: HTML {
    let cells = sections.flatMap(\.lines).reduce(0) { $0 + $1.all.count }
    return .joined([
      tag("a", ["class": "skip", "href": "#main"]) { "Skip to the answers" },
      PageStyle.hatches, header, contents,
      tag("main", ["id": "main"]) {
        notes
        if sections.isEmpty { tag("p") { "Nothing was measured that could be shown." } }
        for (index, section) in sections.enumerated() {
          sweepParts(before: index)
          SectionPart(section: section, cellsOnPage: cells).html
        }
        environments
      },
      tag("footer") {
        tag("p") { "Made by topobench report. This page fetches nothing and runs no script." }
      },
    ])
  }
}

// MARK: - The beginning

extension ReportPage {
  private var header: HTML {
    tag("header") {
      tag("p", ["class": "kicker"]) { "topobench: what keeps the main queue free" }
      tag("h1") { heading }
      tag("p", ["class": "made"]) { made }
      tag("p", ["class": "not", "role": "note"]) {
        Sentences.whatItIsNot(sides[sides.count - 1].side.summary)
      }
    }
  }

  private var made: String {
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

  private var contents: HTML {
    tag("nav", ["aria-labelledby": "contents"]) {
      tag("h2", ["id": "contents"]) { "Answers" }
      tag("ol") {
        for section in sections {
          tag("li") {
            HTML.link(to: section.id, PageText.title(section.title))
            if sections.count > 1 { tag("span") { section.answers[0] } }
          }
        }
      }
      if !sweeps.isEmpty {
        tag("p") { "Where a field was swept:" }
        tag("ul") {
          for (index, sweep) in sweeps.enumerated() {
            tag("li") {
              HTML.link(to: "w\(index + 1)", PageText.title(Sentences.title(sweep)))
            }
          }
        }
      }
      tag("p") { HTML.link(to: "environment", "Where and how it was measured") }
    }
  }

  private var notes: HTML {
    guard let comparison else { return .nothing }
    let notes = ComparisonReport.notes(comparison)
    guard sections.count != 1 || !notes.isEmpty else { return .nothing }
    return tag("section", ["class": "doubts", "aria-labelledby": "notes"]) {
      tag("h2", ["id": "notes"]) { "The comparison as a whole" }
      if sections.count != 1 {
        tag("p", ["class": "answer"]) { ComparisonSentences.conclusion(comparison) }
      }
      if !notes.isEmpty {
        tag("ul") { notes.map { note in tag("li") { PageText.sentences(note) } } }
      }
    }
  }
}

// MARK: - The parts

extension ReportPage {
  /// The sweeps of a scenario, before its first section.
  private func sweepParts(before index: Int) -> [HTML] {
    let scenario = sections[index].summary.scenario
    guard sections.firstIndex(where: { $0.summary.scenario == scenario }) == index else {
      return []
    }
    return sweeps.enumerated().filter { $0.element.scenario == scenario }.map { place, sweep in
      SweepPart(
        id: "w\(place + 1)", sweep: sweep, role: comparison == nil ? nil : .candidate,
        rows: sections.filter { $0.summary.scenario == scenario && $0.summary.store == sweep.store }
      ).html
    }
  }

  private var environments: HTML {
    tag("section", ["id": "environment", "aria-labelledby": "environment-h"]) {
      tag("h2", ["id": "environment-h"]) { "Where and how it was measured" }
      for (role, side) in sides {
        for file in side.files { EnvironmentPart(file: file, role: role).html }
      }
    }
  }
}

extension Summary {
  /// The section of this side that a comparison is about.
  fileprivate func section(_ other: Comparison.Section) -> SummarySection? {
    sections.first { section in
      CellKey(
        scenario: section.scenario, digest: section.scenarioDigest, parameters: section.parameters,
        topology: "", store: section.store)
        == CellKey(
          scenario: other.scenario, digest: other.scenarioDigest, parameters: other.parameters,
          topology: "", store: other.store)
    }
  }
}
