import Foundation
import JSONSchemas
import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct DuetAnswerTests {
  /// The second topology is slower by `factor` in all pairs, and writes once more.
  static func report(
    factor: Double = 1.25, commits: Double = 1, status: CellStatus = .ok, isWhole: Bool = true,
    rule: DuetRule = DuetRule(), text: String? = nil, keepsAwake: Bool = false,
    noise: (Int, Side) -> Double = { number, side in
      side == .baseline ? 1 : 1 + Double((number * 7) % 5 - 2) / 100
    }
  ) -> (report: DuetReport, cells: [CellResult]) {
    let targets = ["main-only", text ?? "parent-child"].map {
      CellKey(
        scenario: text ?? "5000-cities", digest: "d", parameters: text ?? "", topology: $0,
        store: "pool")
    }
    var course = SequentialTest(targets: targets, rule: rule)
    while let (phase, wanted) = course.next() {
      for target in targets.indices {
        for number in 0..<wanted[target] {
          let baseline = cell(targets[target], 20 * noise(number, .baseline))
          var candidate = cell(
            targets[target], 20 * noise(number, .candidate) * (target == 1 ? factor : 1))
          candidate.metrics["main_commits"] = 8 + (target == 1 ? commits : 0)
          if target == 0, number == 0, phase == .spread { candidate.status = status }
          candidate.error = text ?? ""
          course.add(
            DuetPair(baseline: baseline, candidate: candidate), of: target, in: phase)
        }
      }
      if !isWhole { break }
    }
    let report = DuetReport(
      course,
      baseline: .init(
        path: text ?? "/a/topobench", topobench: "1.0", commit: text ?? "abc", build: "release"),
      candidate: .init(path: "/b/topobench", topobench: "1.1", commit: "", build: "release"),
      areIdentical: false, seed: 7,
      diagnoses: [Diagnosis("the load was 3.0 on 2 core(s)", remedy: "let nothing else run")],
      keepsAwake: keepsAwake)
    return (report, course.cells)
  }

  private static func cell(_ key: CellKey, _ blocked: Double) -> CellResult {
    var cell = CellResult(
      runID: "r", startedAt: "", scenario: key.scenario, topology: key.topology, store: key.store,
      trial: 1, order: 1, seed: 7, status: .ok)
    cell.metrics["main_blocked_ms"] = blocked
    for name in Metrics.exactCounts { cell.metrics[name] = 8 }
    return cell
  }

  static func text(_ report: DuetReport, style: TextStyle) -> String {
    DocumentFormat.table.render(DuetAnswer.document(report), style)
  }

  static func markdown(_ report: DuetReport) -> String {
    DocumentFormat.markdown.render(DuetAnswer.document(report), style)
  }

  private static let style = TextStyle(width: 100)

  @Test func `a regression reads like this`() {
    #expect(
      Self.text(Self.report().report, style: Self.style) == """
        Baseline: /a/topobench (topobench 1.0, commit abc, release)
        Candidate: /b/topobench (topobench 1.1, release)

        5000-cities, pool store

        topology      metric           baseline  candidate  change  verdict            within pairs
                                                                                      95 % interval
        ───────────────────────────────────────────────────────────────────────────────────────────
        main-only     main_blocked_ms      20.0       20.0     0 %  pass     0.0 % (-1.0 to +1.0 %)
        parent-child  main_blocked_ms      20.0       25.0   +25 %  fail       +25 % (+24 to +26 %)
        parent-child  main_commits            8          9      +1  fail                      exact

        topology      pairs  fresh  would see
                             pairs
        ─────────────────────────────────────
        main-only        14      –     +3.0 %
        parent-child     14  +25 %     +3.0 %
        parent-child     14     +1          –

        The candidate is worse: parent-child main_blocked_ms +25 % (95 % interval within pairs +24 to +26 %;
        in fresh pairs +25 %); parent-child main_commits +1 (in fresh pairs +1).

        The same in every pair: 27 exact counts of 2 topologies.

        Pairs of fresh processes, the builds in turn, order balanced and shuffled from seed 7. The scatter
        of the first 14 pairs, whoever was ahead, set the number of pairs at the two looks: main-only 14 and
        14 at a scatter of 1.4 %; parent-child 14 and 14 at a scatter of 1.4 %. The looks spend 0.01 and
        0.04 of the chance of a false alarm; what is flagged must show again in fresh pairs.

        These pairs would have flagged a worsening of 3.0 % or more nine times in ten, in every topology.

        Read it with: the load was 3.0 on 2 core(s) (let nothing else run).

        """)
  }

  @Test func `the change beside an interval is the estimate within pairs`() throws {
    let (report, _) = Self.report { number, side in
      let pair = number % 5
      let baseline = 1 + Double(pair) / 2
      return side == .baseline ? baseline : baseline * (pair == 2 ? 1.5 : 1.1)
    }
    let failed = try #require(
      report.figures.first { $0.verdict == .fail && $0.metric == .mainBlocked })
    guard case .time(let time) = failed.judgement else { preconditionFailure("it is a time") }
    let change = ComparisonFigures.estimate(try #require(time.change), failed.metric)
    #expect(change != failed.shown.change)
    let text = DuetSentences.conclusion(report)
    #expect(text.contains("main_blocked_ms \(change) (95 % interval within pairs"), "\(text)")
  }

  @Test func `no regression says what was excluded, and what these pairs would have found`() {
    let (report, _) = Self.report(factor: 1, commits: 0)
    #expect(report.verdict == .pass)
    let text = Self.text(report, style: Self.style)
    #expect(
      text.contains("No regression: in no topology is main_blocked_ms of the candidate worse by 10")
    )
    #expect(text.contains("These pairs would have flagged"))
    #expect(text.contains("28 exact counts of 2 topologies"))
  }

  @Test func `the pairs that a noisy duet needs are one number, said once`() throws {
    let (report, _) = Self.report(factor: 1, commits: 0) { number, side in
      side == .baseline ? 1 : exp(Double(number * 7 % 11 - 5) / 2.5)
    }
    let size = try #require(report.targets[0].size)
    #expect(report.verdict == .inconclusive && size.isLimited)
    let text = DuetSentences.conclusion(report)
    let advice = "too noisy; \(size.wanted) pairs are needed: --most-pairs \(size.wanted)"
    #expect(text.contains("main-only main_blocked_ms (\(advice))"), "\(text)")
    #expect(!DuetSentences.notes(report).contains { $0.contains("needed") })
    let json = try DuetAnswer.json(report)
    #expect(json.contains("\"wanted\" : \(size.wanted)") && !json.contains("needed_trials"))
  }

  @Test func `failed cells are listed with their side`() {
    let text = Self.text(Self.report(status: .crashed).report, style: Self.style)
    #expect(text.contains("main-only, candidate: 1 cell crashed"))
  }

  @Test func `the answer says whether processors were kept awake`() throws {
    let (asleep, awake) = (Self.report().report, Self.report(keepsAwake: true).report)
    let sentence = "Processors were kept awake."
    #expect(try DuetAnswer.json(awake).contains(sentence))
    #expect(!Self.text(asleep, style: Self.style).contains("awake"))
    #expect(try DuetAnswer.json(awake).contains("\"keeps_awake\" : true"))
    #expect(try DuetAnswer.json(asleep).contains("\"keeps_awake\" : false"))
  }

  @Test func `an interrupted duet decides nothing`() throws {
    let (report, _) = Self.report(isWhole: false)
    #expect(report.verdict == nil)
    let text = Self.text(report, style: Self.style)
    #expect(text.contains("Interrupted: nothing was decided."))
    #expect(try DuetAnswer.json(report).contains("\"is_complete\" : false"))
  }

  @Test func `a metric without any pair is inconclusive`() {
    var rule = DuetRule()
    rule.metrics.append(.totalBlockingTime)
    let (report, _) = Self.report(factor: 1, commits: 0, rule: rule)
    #expect(report.verdict == .inconclusive)
    let text = Self.text(report, style: Self.style)
    #expect(text.contains("main-only main_tbt50_ms (no sound pair has a value)"))
  }

  @Test(arguments: [0, nil] as [Double?])
  func `JSON can be made where a figure has no value, or its base is zero`(base: Double?) throws {
    let metric: Metric = base == nil ? .totalBlockingTime : .mainBlocked
    var rule = DuetRule()
    rule.metrics = [metric]
    let (report, _) = Self.report(rule: rule) { _, side in side == .baseline ? 0 : 1 }
    let schema = try JSONSchema.documented(DuetAnswer.jsonSchema)
    #expect(try schema.errors(in: DuetAnswer.json(report), strict: true) == [])
    #expect(report.figures.contains { $0.metric == metric })
  }

  @Test func `JSON of a duet whose candidate always crashes has no judgement`() throws {
    let targets = [
      CellKey(scenario: "5000-cities", digest: "d", parameters: "", topology: "a", store: "pool")
    ]
    var course = SequentialTest(targets: targets, rule: DuetRule())
    while let (phase, wanted) = course.next() {
      for _ in 0..<wanted[0] {
        var candidate = Self.cell(targets[0], 20)
        candidate.status = .crashed
        course.add(
          DuetPair(baseline: Self.cell(targets[0], 20), candidate: candidate), of: 0, in: phase)
      }
    }
    let side = DuetReport.Build(path: "/a", topobench: "1.0", commit: "", build: "release")
    let report = DuetReport(
      course, baseline: side, candidate: side, areIdentical: false, seed: 7, diagnoses: [],
      keepsAwake: false)
    #expect(report.verdict != .pass && report.verdict != .fail)
    let schema = try JSONSchema.documented(DuetAnswer.jsonSchema)
    #expect(try schema.errors(in: DuetAnswer.json(report), strict: true) == [])
  }

  @Test func `CSV is the rows themselves`() throws {
    let (report, cells) = Self.report()
    let text = try DuetAnswer.render(report, cells, as: .data(.csv), style: Self.style)
    #expect(try CellCSV.decode(text).count == cells.count)
  }
}
