import Judging
import Support
import Measurement
import MeasurementSamples
import Testing

// Draws the pairs of duets instead of measuring them.

@Suite struct SequentialTestTests {
  struct Bench {
    var random = Random(seed: 1)
    /// Of one cell's time, as a share.
    var spread = 0.02
    /// The candidate's time over the baseline's, in first and in fresh pairs.
    var factors: [String: (first: Double, fresh: Double)] = [:]
    /// A count that is larger in the candidate.
    var count: (name: String, more: Double)?
    /// A count that neither build records.
    var unrecorded: Metric?
    /// A topology whose candidate's cells end so.
    var failing: (topology: String, status: CellStatus)?

    mutating func pair(_ key: CellKey, in phase: DuetPhase) -> DuetPair {
      let factor = factors[key.topology] ?? (1, 1)
      let slowdown = phase == .confirmation ? factor.fresh : factor.first
      let times = random.times(2, spread: spread)
      var candidate = cell(key, time: times[1] * slowdown)
      if let count { candidate.metrics[count.name] = 10 + count.more }
      if let failing, failing.topology == key.topology { candidate.status = failing.status }
      return DuetPair(baseline: cell(key, time: times[0]), candidate: candidate)
    }

    private func cell(_ key: CellKey, time: Double) -> CellResult {
      .sample(key.topology, blocked: time) {
        for count in Metrics.exactCounts where count != unrecorded { $0.metrics[count] = 10 }
      }
    }
  }

  struct Asked: Equatable, CustomStringConvertible {
    let phase: DuetPhase
    let pairs: [Int]
    var description: String { "\(phase) \(pairs)" }
  }

  private static func targets(_ names: String...) -> [CellKey] {
    names.map { CellKey(scenario: "5000-cities", topology: $0, store: "pool") }
  }

  private static func play(
    _ targets: [CellKey], rule: DuetRule = DuetRule(), _ bench: Bench
  ) -> (course: SequentialTest, asked: [Asked]) {
    var (bench, course, asked) = (bench, SequentialTest(targets: targets, rule: rule), [Asked]())
    while let (phase, wanted) = course.next() {
      asked.append(Asked(phase: phase, pairs: wanted))
      for (target, count) in wanted.enumerated() {
        for _ in 0..<count {
          course.add(bench.pair(targets[target], in: phase), of: target, in: phase)
        }
      }
    }
    return (course, asked)
  }

  private static func verdicts(_ course: SequentialTest, _ metric: Metric) -> [Verdict] {
    course.figures.filter { $0.metric == metric }.map(\.verdict)
  }
}

extension SequentialTestTests {
  @Test func `two builds alike are over at the first look`() {
    let (course, asked) = Self.play(Self.targets("a", "b"), Bench())
    #expect(asked == [Asked(phase: .spread, pairs: [14, 14])])
    #expect(course.isOver)
    #expect(course.figures.count == 2 * (1 + 14))
    let passed = course.figures.allSatisfy { $0.verdict == .pass && $0.look == .first }
    #expect(passed)
  }

  @Test func `the faster side does not enter the number of pairs`() {
    var sizes: [DuetSize?] = []
    for factor in [0.5, 1, 1.4, 3] {
      let bench = Bench(spread: 0.08, factors: ["a": (factor, 1)])
      var course = SequentialTest(targets: Self.targets("a"))
      var drawn = bench
      while let (phase, wanted) = course.next(), phase == .spread {
        for _ in 0..<wanted[0] {
          course.add(drawn.pair(course.targets[0], in: phase), of: 0, in: phase)
        }
      }
      sizes.append(course.sizes[0])
    }
    #expect(sizes[0]?.last ?? 0 > 14)
    let numbers = sizes.map { $0?.last }
    #expect(Set(numbers).count == 1, "\(numbers)")
  }

  @Test func `a larger scatter asks for more pairs, up to the most that are allowed`() throws {
    var lasts: [Int] = []
    for spread in [0.02, 0.05, 0.1, 0.4] {
      let (course, _) = Self.play(Self.targets("a"), Bench(spread: spread))
      let size = try #require(course.sizes[0])
      lasts.append(size.last)
      #expect(size.first <= size.last)
      #expect(size.isLimited == (size.wanted > 80))
    }
    #expect(lasts == lasts.sorted())
    #expect(lasts[0] == 14)
    #expect(lasts[3] == 80)
  }

  @Test func `after two looks at most, the number of pairs that would suffice is given`() throws {
    let bench = Bench(random: Random(seed: 2), spread: 0.9)
    let (course, asked) = Self.play(Self.targets("a"), bench)
    #expect(asked.map(\.phase) == [.spread, .first, .second])
    #expect(asked.reduce(0) { $0 + $1.pairs[0] } == 80)
    let figure = try #require(course.figures.first)
    #expect(figure.verdict == .inconclusive)
    #expect(figure.look == .second)
    guard case .time(let judgement) = figure.judgement else {
      Issue.record("a time is judged as a time")
      return
    }
    // One number for the topology, not another one for each figure.
    #expect(course.sizes[0]?.wanted ?? 0 > 80 && judgement.neededTrials == nil)
    #expect(figure.detectable ?? 0 > 0.1)
  }
}

extension SequentialTestTests {
  @Test func `a slowdown fails once fresh pairs show it again, and only its own topology`() throws {
    let bench = Bench(factors: ["b": (1.2, 1.2)])
    let (course, asked) = Self.play(Self.targets("a", "b"), bench)
    #expect(asked.last?.phase == .confirmation)
    let planned = try #require(course.sizes[1]?.last)
    #expect(asked.last?.pairs == [0, planned + planned / 2])
    #expect(Self.verdicts(course, .mainBlocked) == [.pass, .fail])
    #expect(course.freshPairs(of: 0) == 0)
  }

  @Test func `a plan that was too short is confirmed with the newer scatter`() throws {
    var longer = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let bench = Bench(
        random: Random(seed: seed), spread: 0.12, factors: ["a": (1.5, 1.5)])
      let (course, asked) = Self.play(Self.targets("a"), bench)
      let planned = try #require(course.sizes[0]?.last)
      let last = try #require(asked.last)
      guard last.phase == .confirmation else { continue }
      #expect(last.pairs[0] >= planned + planned / 2, "seed \(seed)")
      #expect(last.pairs[0] <= 120, "seed \(seed)")
      if last.pairs[0] > planned + planned / 2 { longer += 1 }
    }
    #expect(longer > 0 && longer < 20, "\(longer)")
  }

  @Test func `a change that fresh pairs do not confirm neither fails nor passes`() {
    let bench = Bench(factors: ["a": (1.2, 1)])
    let (course, _) = Self.play(Self.targets("a"), bench)
    #expect(course.figures.first?.judgement.verdict == .fail)
    #expect(course.figures.first?.confirmation?.verdict == .pass)
    #expect(Self.verdicts(course, .mainBlocked) == [.inconclusive])
  }

  @Test func `a faster candidate passes`() {
    let (course, asked) = Self.play(Self.targets("a"), Bench(factors: ["a": (0.7, 0.7)]))
    #expect(Self.verdicts(course, .mainBlocked) == [.pass])
    #expect(asked.contains { $0.phase == .confirmation } == false)
  }

  @Test func `one more of an exact count fails after six fresh pairs`() {
    let bench = Bench(count: ("main_commits", 1))
    let (course, asked) = Self.play(Self.targets("a"), bench)
    #expect(asked.last == Asked(phase: .confirmation, pairs: [6]))
    #expect(Self.verdicts(course, .mainCommits) == [.fail])
    #expect(Self.verdicts(course, .mainRowsRead) == [.pass])
  }

  @Test func `a count that neither build records does not keep a duet from passing`() {
    let (course, asked) = Self.play(Self.targets("a"), Bench(unrecorded: .mainStaleObjects))
    #expect(asked == [Asked(phase: .spread, pairs: [14])])
    #expect(course.figures.count == 1 + 13)
    #expect(course.figures.allSatisfy { $0.verdict == .pass })
  }

  @Test func `only targets that are open at the first look continue to the second`() {
    var goingOn = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      // +6 % is neither excluded nor proved in few pairs.
      let bench = Bench(
        random: Random(seed: seed), spread: 0.05, factors: ["b": (1.06, 1.06)])
      let (course, asked) = Self.play(Self.targets("a", "b", "c"), bench)
      let second = asked.first { $0.phase == .second }
      for (target, key) in course.targets.enumerated() {
        let wasOpen = course.figures.contains { $0.target == key && $0.look == .second }
        let hasMore = course.sizes[target].map { $0.last > $0.first } ?? false
        #expect(
          (second?.pairs[target] ?? 0 > 0) == (wasOpen && hasMore), "seed \(seed), \(key.topology)")
        if wasOpen { goingOn += 1 }
      }
    }
    #expect(goingOn > 0 && goingOn < 60, "\(goingOn)")
  }
}

extension SequentialTestTests {
  @Test func `a topology without a sound pair is not measured further`() {
    let bench = Bench(failing: ("b", .crashed))
    let (course, asked) = Self.play(Self.targets("a", "b"), bench)
    #expect(asked.dropFirst().allSatisfy { $0.pairs[1] == 0 })
    #expect(Self.verdicts(course, .mainBlocked) == [.pass, .inconclusive])
    #expect(course.cells.count { $0.status == .crashed } == 14)
    #expect(course.soundPairs(of: 1) == 0)
  }

  @Test func `an interrupted course has decided nothing`() {
    var course = SequentialTest(targets: Self.targets("a"))
    _ = course.next()
    #expect(!course.isOver)
    let build = DuetReport.Build(path: "/a", topobench: "1", commit: "", build: "release")
    let report = DuetReport(
      course, baseline: build, candidate: build, areIdentical: true, seed: 1, diagnoses: [])
    #expect(!report.isComplete)
    #expect(report.figures.isEmpty)
    #expect(report.verdict == nil)
  }
}

extension SequentialTestTests {
  @Test func `equal builds mostly pass, and a build slower by a tenth is found`() {
    var (wrong, passed, found) = (0, 0, 0)
    let rounds = 80
    for seed in 1...UInt64(rounds) {
      let alike = Bench(random: Random(seed: seed), spread: 0.03)
      let verdict = Verdict.together(
        Self.play(Self.targets("a", "b"), alike).course.figures.map(\.verdict))
      wrong += verdict == .fail ? 1 : 0
      passed += verdict == .pass ? 1 : 0
      let slower = Bench(
        random: Random(seed: seed), spread: 0.03, factors: ["b": (1.1, 1.1)])
      let (course, _) = Self.play(Self.targets("a", "b"), slower)
      found += Self.verdicts(course, .mainBlocked)[1] == .fail ? 1 : 0
    }
    #expect(wrong == 0)
    #expect(passed >= rounds * 95 / 100, "\(passed)")
    #expect(found >= rounds * 93 / 100, "\(found)")
  }
}
