import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

@Suite("The slices of sliced-merge")
struct SlicedMergeTests {
  private static func rows(_ count: Int) -> [ContiguousArray<Value>] {
    (1...count).map { City.values(Int64($0), name($0)) }
  }

  private static func name(_ number: Int) -> String { "city \(10_000 + number)" }

  private func bench(
    rows: Int = 400, mode: StoreMode = .pool, frameBudget: Duration = .milliseconds(4),
    cost: Duration
  ) async throws -> SlicedBench {
    let bench = try SlicedBench(
      mode, model: City.model, entity: City.entity, rows: Self.rows(rows), frameBudget: frameBudget,
      cost: cost)
    try await bench.run { [bench] in try await bench.topology.load() }
    return bench
  }

  private func renew(_ keys: ClosedRange<Int>, _ population: Int64 = 1) -> [Change] {
    keys.map {
      .update(
        key: .int64(Int64($0)), fields: [FieldChange(index: 2, value: .int64(population))])
    }
  }

  /// Main's recording until everything has arrived, with an open window.
  private func record(
    _ bench: SlicedBench, _ batches: [[Change]]
  ) async throws -> MainQueueRecording {
    for batch in batches { try await bench.topology.apply(batch) }
    try bench.onMain { [main = bench.main] in main.openWindow() }
    try await bench.run { [bench] in try await bench.topology.settle() }
    return try bench.onMain { [main = bench.main] in main.closeWindow() }
  }

  private func refreshedKeys(on bench: SlicedBench) throws -> Story<[Int64]> {
    let keys = Story<[Int64]>()
    try bench.onMain { [bench] in
      _ = bench.topology.main.observeObjectsDidChange { change in
        keys.tell(change.refreshed.map { $0[City.key] })
      }
    }
    return keys
  }

  @Test(arguments: [20, 100, 700])
  func `no slice that could be divided takes longer than the frame budget`(
    microseconds cost: Int
  ) async throws {
    let bench = try await bench(cost: .microseconds(cost))
    let recording = try await record(bench, [renew(1...400)])
    let longest = recording.gaps.map(\.duration).max() ?? .zero
    #expect(longest <= .milliseconds(4))
    // The aim is half of the frame budget. The first slices are small, until the cost is known.
    let report = bench.topology.report
    #expect(report.objects == 400)
    #expect(report.slices >= 400 * cost / 4000)
    #expect(report.slices <= 400 * cost / 1000 + 8)
    #expect(report.unitsOverBudget == 0)
    try await bench.close()
  }

  @Test func `user events are served between any two slices`() async throws {
    let bench = try await bench(cost: .milliseconds(1))
    let answered = Story<Instant>()
    let (clock, start) = (bench.clock, bench.clock.now())
    for tap in 0..<100 {
      bench.main.schedule(at: start + .milliseconds(tap)) { answered.tell(clock.now()) }
    }
    _ = try await record(bench, [renew(1...100)])
    bench.runMain(for: .milliseconds(100))
    let waits = zip(0..., answered.all).map { $1 - (start + .milliseconds($0)) }
    let longest = waits.max() ?? .zero
    #expect(answered.all.count == 100)
    #expect(longest > .zero && longest <= .milliseconds(2))
    try await bench.close()
  }

  @Test func `tied objects arrive in one slice, which is reported if it is too long`()
    async throws
  {
    let bench = try SlicedBench(cost: .milliseconds(1))
    try await bench.run { [bench] in try await bench.topology.load() }
    try await bench.run { [bench] in
      try await bench.save { context in
        let team = context.insert(League.team)
        team[League.key] = 1
        team[League.name] = "all"
        for key in 1...30 { _ = context.enrol(Int64(key), "p\(key)", stamp: 0, in: team) }
        for key in 31...40 { _ = context.enrol(Int64(key), "p\(key)", stamp: 0, in: nil) }
      }
      try await bench.topology.settle()
    }
    let report = bench.topology.report
    // The team, its players and their badges.
    #expect(report.unitsOverBudget == 1)
    #expect(report.largestUnitOverBudget == 61)
    #expect(report.longestObjects == 61)
    #expect(report.longest >= .milliseconds(30))
    #expect(bench.topology.notes["units_over_budget"] == 1)
    #expect(try bench.shown().count == 40)
    try await bench.close()
  }

  @Test func `visible rows come first, including rows that a save moves there`() async throws {
    let bench = try await bench(cost: .milliseconds(1))
    try bench.onMain { [bench] in bench.topology.visibleRowsDidChange(200..<206) }
    let moved = Change.update(
      key: .int64(399), fields: [FieldChange(index: 1, value: .string(Self.name(203) + "b"))])
    let seen = try refreshedKeys(on: bench)
    try await bench.topology.apply(renew(1...398) + [moved])
    try await bench.run { [bench] in try await bench.topology.settle() }
    // The first slices are small.
    #expect(Set(seen.all.joined().prefix(7)) == [201, 202, 203, 204, 205, 206, 399])
    #expect(seen.all.joined().count == 399)
    try await bench.close()
  }

  @Test func `rows that the user scrolls to come next`() async throws {
    let bench = try await bench(cost: .milliseconds(1))
    try bench.onMain { [bench] in bench.topology.visibleRowsDidChange(0..<6) }
    try await bench.topology.apply(renew(1...400))
    let seen = Story<Set<Int64>>()
    try bench.onMain { [bench] in
      _ = bench.topology.main.observeObjectsDidChange { change in
        seen.tell(Set(change.refreshed.map { $0[City.key] }))
        if seen.all.count == 3 { bench.topology.visibleRowsDidChange(300..<302) }
      }
    }
    try await bench.run { [bench] in try await bench.topology.settle() }
    // Slices of one, four and sixteen objects.
    let next = try #require(seen.all.dropFirst(3).first)
    #expect(next.isSuperset(of: [301, 302]))
    #expect(seen.all.prefix(3).allSatisfy { $0.isDisjoint(with: [301, 302]) })
    try await bench.close()
  }

  @Test func `rows that come first keep the order of their save`() async throws {
    let bench = try await bench(cost: .milliseconds(1))
    let seen = try refreshedKeys(on: bench)
    try await bench.topology.apply(renew(1...400))
    try bench.onMain { [bench] in
      _ = try bench.topology.fetchOnMain((101...140).map { .int64($0) })
      bench.topology.visibleRowsDidChange(200..<240)
    }
    try await bench.run { [bench] in try await bench.topology.settle() }
    for promoted in [Int64(101)...140, 201...240] {
      #expect(seen.all.joined().filter(promoted.contains) == Array(promoted))
    }
    try await bench.close()
  }

  @Test func `a slice that would not end before the next frame waits for it`() async throws {
    // ticks      0         10        20
    // slices     ├──┤├──┤├─┤ ├──┤├──┤         of 2 ms at most, none across a tick
    let bench = try SlicedBench(
      model: City.model, entity: City.entity, rows: Self.rows(300), frameRate: 100,
      cost: .microseconds(250))
    let screen = CountingScreen(bench.clock)
    try await bench.run { [bench] in try await bench.topology.load() }
    try bench.onMain { [bench] in bench.main.show(screen) }
    let recording = try await record(bench, [renew(1...300)])
    #expect(recording.frames.count >= 7)
    #expect(recording.frames.dropFirst().allSatisfy { $0.presented == $0.due })
    #expect(recording.gaps.map(\.duration).max() ?? .zero <= .milliseconds(4))
    try await bench.close()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a save waits for pending objects that it touches, and for no others`() async throws {
    let bench = try await bench(cost: .milliseconds(1))
    let topology = bench.topology
    let (first, isWaiting) = (try refreshedKeys(on: bench), Gate())
    try await topology.apply(renew(1...300))
    // Main is blocked, and these return all the same.
    try await topology.apply(renew(301...310))
    try await topology.apply([.insert(City.values(900, "new"))])
    let committed = topology.lastCommit
    let saving = Task {
      try await topology.saveInBackground(by: 0) { context in
        Activity.install(WaitSignal(isWaiting))
        try context.city(290)[City.population] = 2
      }
    }
    isWaiting.wait()
    #expect(topology.lastCommit == committed)
    try await bench.run { try await saving.value }
    // The unit was merged out of turn, and then the row was written again.
    #expect(topology.lastCommit != committed)
    #expect(first.all.first?.first == 290)
    try await bench.close()
  }

  @Test func `in the serial store a batch waits for the slices before it`() async throws {
    let bench = try await bench(mode: .serial, cost: .milliseconds(1))
    let topology = bench.topology
    let arrived = Story<Int>()
    try await topology.apply(renew(1...100))
    #expect(topology.report.objects == 0)
    try await bench.run {
      try await topology.saveInBackground(by: 0) { _ in arrived.tell(topology.report.objects) }
    }
    #expect(arrived.all == [100])
    try await bench.close()
  }

  @Test func `objects that the user looks up or edits are merged first`() async throws {
    let bench = try await bench(cost: .milliseconds(1))
    try await bench.topology.apply(renew(1...300, 7))
    try bench.onMain { [bench] in
      #expect(try bench.topology.fetchOnMain([.int64(250), .int64(999)]) == 1)
      #expect(bench.topology.list.row(at: 249)[2] == .int64(7))
      #expect(bench.topology.list.row(at: 248)[2] == .int64(0))
      try bench.topology.editOnMain([
        .update(key: .int64(251), fields: [FieldChange(index: 3, value: .string("mine"))])
      ])
      #expect(bench.topology.list.row(at: 250)[2...3] == [.int64(7), .string("mine")])
    }
    try await bench.run { [bench] in try await bench.topology.settle() }
    #expect(try bench.shown()[250][2...3] == [.int64(7), .string("mine")])
    try await bench.close()
  }

  @Test(arguments: [true, false])
  func `the user's value of a property wins, whoever saves first`(
    userFirst: Bool
  ) async throws {
    let bench = try await bench(rows: 3, cost: .zero)
    let user = Change.update(
      key: .int64(2),
      fields: [
        FieldChange(index: 1, value: .string("user")), FieldChange(index: 2, value: .int64(5)),
      ])
    let edit: @Sendable () throws -> Void = { [bench] in
      try bench.onMain { [bench] in try bench.topology.editOnMain([user]) }
    }
    try await bench.save { context in
      let city = try context.city(2)
      city[City.name] = "worker"
      city[City.nickname] = "w"
      if userFirst { try edit() }
    }
    if !userFirst { try edit() }
    try await bench.run { [bench] in try await bench.topology.settle() }
    let expected = City.values(2, "user", population: 5)
    let row = try #require(try bench.shown().first { $0[0] == .int64(2) })
    #expect(row[0...2] == expected[0...2])
    #expect(row[3] == .string("w"))
    try await bench.close()
  }

  @Test func `a frame budget must be above zero`() async throws {
    await #expect(processExitsWith: .failure) {
      _ = try SlicedBench(frameBudget: .zero)
    }
  }
}

// @unchecked: confined to the thread that runs main.
private final class CountingScreen: MainScreen, @unchecked Sendable {
  private let clock: ManualClock
  private(set) var frameNeededSince: Instant?
  let isScrolling = true

  init(_ clock: ManualClock) {
    self.clock = clock
    frameNeededSince = clock.now()
  }

  func layoutAndCommit() { frameNeededSince = clock.now() }
}

/// Signals when its thread waits for another queue.
private final class WaitSignal: ActivityRecorder {
  private let isWaiting: Gate

  init(_ isWaiting: Gate) {
    self.isWaiting = isWaiting
    super.init()
  }

  override func willWait(for cause: WaitCause, at start: Instant) {
    if cause == .queue { isWaiting.open() }
  }
}
