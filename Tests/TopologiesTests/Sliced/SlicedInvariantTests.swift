import Support
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

/// The invariants at every frame, over random saves, frame budgets, costs and visible rows.
@Suite("Every frame of sliced-merge")
struct SlicedInvariantTests {
  @Test(arguments: StoreMode.allCases, RandomRuns.seeds(20))
  func `every frame shows objects as before or after a save, ties whole, in order`(
    mode: StoreMode, seed: UInt64
  ) async throws {
    let story = try SlicedStory(mode, seed: seed)
    try await story.tell()
    let check = FrameCheck(states: story.states, ties: story.ties)
    #expect(check.faults(of: story.frames) == [], "\(mode), seed \(seed)")
    #expect(story.frames.last == story.states.last, "\(mode), seed \(seed)")
    #expect(story.report.objects > 0)
  }

  /// Checks that frames lie between slices, not only before or after whole saves.
  @Test func `frames show parts of a save`() async throws {
    var partial = 0
    for seed in 0..<4 as Range<UInt64> {
      let story = try SlicedStory(.pool, seed: seed)
      try await story.tell()
      partial += FrameCheck(states: story.states, ties: story.ties).partial(story.frames)
    }
    #expect(partial > 0)
  }
}

/// Random saves to a league, with every frame that main showed.
// @unchecked: saves are made one after the other, and main runs on the test's thread.
private final class SlicedStory: @unchecked Sendable {
  private let bench: SlicedBench
  private let screen: LeagueScreen
  private let seed: UInt64
  private var random: SplitMix64
  private(set) var states: [LeagueState] = []
  /// By save, beginning with the first.
  private(set) var ties: [[Set<LeagueName>]] = []

  var frames: [LeagueState] { screen.frames }
  var report: SliceReport { bench.topology.report }

  init(_ mode: StoreMode, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    bench = try SlicedBench(
      mode, frameBudget: .microseconds(random.pick([200, 1000, 4000])),
      frameRate: random.pick([60, 120, 2000]), cost: .microseconds(random.pick([20, 100, 900])))
    screen = LeagueScreen(bench.topology, clock: bench.clock, random)
    self.seed = seed
    self.random = random
  }

  func tell() async throws {
    try await fill()
    for number in 1...12 {
      let steps = Lock<[Set<LeagueName>]>([])
      let seed = seed
      try await bench.run { [bench] in
        try await bench.save { context in
          var save = LeagueSave(number, in: context, seed: seed)
          try save.make()
          let ties = save.ties
          steps.withLock { $0 = ties }
        }
      }
      ties.append(steps.withLock { $0 })
      states.append(try bench.stored())
      bench.runMain(for: .microseconds(Int.random(in: 0...3000, using: &random)))
    }
    try await bench.run { [bench] in try await bench.topology.settle() }
    bench.runMain(for: .milliseconds(40))
    try await bench.close()
  }

  private func fill() async throws {
    try await bench.save { context in
      let teams = (1...5).map { number in
        let team = context.insert(League.team)
        team[League.key] = Int64(number)
        team[League.name] = "team \(number)"
        return team
      }
      for key in 1...30 {
        _ = context.enrol(Int64(key), "p\(key % 9)", stamp: 0, in: teams[key % 5])
      }
    }
    states.append(try bench.stored())
    try await bench.run { [bench] in
      try await bench.topology.settle()
      try await bench.topology.load()
    }
    try bench.onMain { [bench, screen] in
      try screen.attach()
      bench.main.show(screen)
    }
  }
}

/// Keeps the list and the teams that it draws at every tick.
// @unchecked: confined to the thread that runs main.
private final class LeagueScreen: MainScreen, @unchecked Sendable {
  private let topology: SlicedMerge
  private let clock: ManualClock
  private var random: SplitMix64
  private var teams: [ManagedObject] = []
  private(set) var frames: [LeagueState] = []
  private(set) var frameNeededSince: Instant?
  let isScrolling = true

  init(_ topology: SlicedMerge, clock: ManualClock, _ random: SplitMix64) {
    self.topology = topology
    self.clock = clock
    self.random = random
  }

  func attach() throws {
    teams = try topology.main.all(League.team)
    frameNeededSince = clock.now()
  }

  func layoutAndCommit() {
    frameNeededSince = clock.now()
    let list = topology.list
    let first = Int.random(in: 0...list.count, using: &random)
    topology.visibleRowsDidChange(first..<min(list.count, first + 5))
    let rows = (0..<list.count).map { list.row(at: $0) }
    let keys = rows.map { ($0[1], $0[0]) }
    for (before, after) in zip(keys, keys.dropFirst()) where !(before < after) {
      Issue.record("out of order: \(before) before \(after)")
    }
    var state: LeagueState = [:]
    for row in rows {
      guard case .int64(let key) = row[0] else { continue }
      if state.updateValue(row, forKey: .player(key)) != nil { Issue.record("\(key) twice") }
    }
    for team in teams where !team.isDeleted {
      state[.team(team[League.key])] = team.allValues
    }
    frames.append(state)
  }
}

private func < (a: (Value, Value), b: (Value, Value)) -> Bool {
  guard case (.string(let name), .int64(let key)) = a,
    case (.string(let otherName), .int64(let otherKey)) = b
  else { return false }
  return (name, key) < (otherName, otherKey)
}

/// Compares frames with the store's rows after each save.
private struct FrameCheck {
  let states: [LeagueState]
  let ties: [[Set<LeagueName>]]
  private var names: Set<LeagueName> { states.reduce(into: []) { $0.formUnion($1.keys) } }

  init(states: [LeagueState], ties: [[Set<LeagueName>]]) {
    self.states = states
    self.ties = ties
  }

  func faults(of frames: [LeagueState]) -> [String] {
    var possible = Progress()
    var faults: [String] = []
    for (number, frame) in frames.enumerated() {
      advance(&possible, to: frame)
      faults += names.filter { possible[$0]?.isEmpty != false }.map {
        "frame \(number): \($0) is of no save, or goes back"
      }
      faults += tornTies(possible).map { "frame \(number): \($0)" }
    }
    return faults
  }

  /// Frames that show some ties of a save and not others.
  func partial(_ frames: [LeagueState]) -> Int {
    var possible = Progress()
    return frames.count { frame in
      advance(&possible, to: frame)
      return ties.enumerated().contains { index, ties in
        let arrived = ties.count { $0.allSatisfy { possible.isAt(index + 1, or: >=, $0) } }
        let missing = ties.count { $0.allSatisfy { possible.isAt(index + 1, or: <, $0) } }
        return arrived > 0 && missing > 0
      }
    }
  }

  /// Saves that each row may show, given that no row goes back.
  private typealias Progress = [LeagueName: [Int]]

  private func advance(_ possible: inout Progress, to frame: LeagueState) {
    for name in names {
      let least = possible[name]?.first ?? 0
      possible[name] = states.indices.filter { $0 >= least && states[$0][name] == frame[name] }
    }
  }

  private func tornTies(_ possible: Progress) -> [String] {
    ties.enumerated().flatMap { index, ties in
      ties.compactMap { tie -> String? in
        let arrived = tie.filter { possible.isAt(index + 1, or: >=, $0) }
        let missing = tie.filter { possible.isAt(index + 1, or: <, $0) }
        guard !arrived.isEmpty, !missing.isEmpty else { return nil }
        return "save \(index + 1): \(arrived) without \(missing)"
      }
    }
  }
}

extension [LeagueName: [Int]] {
  /// Whether this holds for each save that the row may show.
  fileprivate func isAt(_ save: Int, or compare: (Int, Int) -> Bool, _ name: LeagueName) -> Bool {
    self[name]?.allSatisfy { compare($0, save) } ?? false
  }
}
