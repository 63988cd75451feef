import Judging
import Measurement

/// The results of one scenario with its parameters in one store mode.
struct PageSection {
  /// The anchor for links: a number, never a name from a report.
  let id: String
  let title: String
  let question: String?
  /// One sentence; for a comparison also the candidate's own answer.
  let answers: [String]
  let work: String
  let doubts: [String]
  let failures: [String]
  let summary: SummarySection
  let comparison: Comparison.Section?
  let lines: [PageLine]
  /// The names of the CSV files.
  let files: [String]

  init(_ id: String, _ section: SummarySection, of side: PageSide) {
    self.id = id
    title = Self.title(section)
    question = side.questions[section.scenario]
    answers = [PageText.sentences(Sentences.conclusion(section))]
    work = Sentences.work(section)
    doubts = [PageText.sentences(Sentences.diagnoses(section))]
    failures = Sentences.failures(section)
    summary = section
    comparison = nil
    lines = Self.lines(section, of: side)
    files = side.files.map(\.name)
  }

  /// A section that both sides have.
  init(
    _ id: String, _ comparison: Comparison.Section, baseline: PageSide, candidate: PageSide,
    sections: (baseline: SummarySection, candidate: SummarySection)
  ) {
    self.id = id
    title = Self.title(sections.candidate)
    question = candidate.questions[comparison.scenario] ?? baseline.questions[comparison.scenario]
    answers = [
      ComparisonSentences.conclusion([comparison]),
      "Of the candidate alone: \(Sentences.conclusion(sections.candidate))",
    ].map(PageText.sentences)
    work = Sentences.work(sections.candidate)
    doubts = [
      "Baseline. \(Sentences.diagnoses(sections.baseline))",
      "Candidate. \(Sentences.diagnoses(sections.candidate))",
    ].map(PageText.sentences)
    failures = Sentences.failures(sections.baseline) + Sentences.failures(sections.candidate)
    summary = sections.candidate
    self.comparison = comparison
    let names = comparison.topologies.map(\.name)
    let before = Self.lines(sections.baseline, of: baseline, role: .baseline)
    let after = Self.lines(sections.candidate, of: candidate, role: .candidate)
    lines = names.flatMap { name in (before + after).filter { $0.topology == name } }
    files =
      baseline.files.map { "\($0.name) (baseline)" }
      + candidate.files.map { "\($0.name) (candidate)" }
  }

  /// `save-per-object, pool store: user.fetches_per_s 1000`
  private static func title(_ section: SummarySection) -> String {
    let set = EnvironmentValue(json: section.parameters)?.leaves.map { "\($0.0) \($0.1)" }
    let parameters = set?.joined(separator: ", ") ?? section.parameters
    return "\(PageText.brief(section.scenario)), \(PageText.brief(section.store)) store"
      + (parameters.isEmpty ? "" : ": \(parameters)")
  }

  /// The lines that figures show: those with an ok cell.
  var shown: [PageLine] { lines.filter { !$0.cells.isEmpty } }

  private static func lines(
    _ section: SummarySection, of side: PageSide, role: Side? = nil
  ) -> [PageLine] {
    let cells = Dictionary(
      grouping: side.summary.cells.filter { section.holds($0) }, by: \.topology)
    return section.topologies.map {
      PageLine($0, cells: cells[$0.name, default: []], role: role, of: side)
    }
  }
}

extension SummarySection {
  fileprivate func holds(_ cell: CellResult) -> Bool {
    CellKey(cell) == key(cell.topology)
  }

  func key(_ topology: String) -> CellKey {
    CellKey(
      scenario: scenario, digest: scenarioDigest, parameters: parameters, topology: topology,
      store: store)
  }
}
