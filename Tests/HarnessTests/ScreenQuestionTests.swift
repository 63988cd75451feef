import Foundation
import GRDB
import Measurement
import ObjectGraph
import Queues
import Testing
import Topologies
import Workload

@testable import Harness

/// The screen's counts and searches while changes arrive.
@Suite(.timeLimit(.minutes(3)))
struct ScreenQuestionTests {
  private let folder = TemporaryFolder()
  private static let counts = ["user.counts_per_s=20", "user.count_where=flag.bloc.code != nil"]
  private static let searches = [
    "user.searches_per_s=20", "user.search_where=name CONTAINS[cd] $text AND positions.@count >= 0",
  ]

  private func run(_ topology: TopologyDescriptor, _ set: [String]) async throws -> CellResult {
    try await CellRunner.run(
      topology, of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml",
      set: ["horizon_ms=400", "changes.per_save=1", "changes.rate_per_s=100"] + set, in: folder
    ).result
  }

  private func message(_ set: String...) async -> String {
    do {
      return try await run(.named("container"), set).error
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: Topologies.builtIn,
    [("main", ["list.limit=3", "list.where=class != 3"]), ("background", [])])
  func `counts and searches find the rows that the rows of all entities give`(
    topology: TopologyDescriptor, asking: (place: String, more: [String])
  ) async throws {
    let set = Self.counts + Self.searches + ["user.asks_in=\(asking.place)"] + asking.more
    let result = try await run(topology, set)
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    let median = try #require(result.metrics[.answerMedian])
    #expect(median > 0 && result.metrics[.answerMax] ?? 0 >= median)
  }

  /// Rows with pairs are deleted, too.
  @Test(arguments: Topologies.builtIn)
  func `pairs end with their rows, and cells, searches and counts follow the others`(
    topology: TopologyDescriptor
  ) async throws {
    let result = try await CellRunner.run(
      topology, of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/clubs.yaml", in: folder
    ).result
    #expect([.ok, .suspect].contains(result.status), "\(result.error)")
    #expect(result.metrics[.answerMax] ?? 0 > 0)
  }

  @Test func `a pair that is not stored is wrong`() async throws {
    let sound = try TopologyDescriptor.named("container")
    let broken = TopologyDescriptor(
      name: "broken", wiring: "", summary: "",
      make: { environment in
        let database = try DatabaseQueue(path: environment.store.path)
        try database.write { try $0.execute(sql: "DELETE FROM Z_2MEMBERS") }
        try database.close()
        return try sound.make(environment)
      })
    let result = try await CellRunner.run(
      broken, of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/clubs.yaml",
      set: ["list.reads=[]", "user.counts_per_s=0", "user.searches_per_s=0"], in: folder
    ).result
    #expect(result.status == .wrong, "\(result.error)")
    #expect(result.error.contains("pair(s) of Member.clubs"))
  }

  @Test func `questions on main are statements of main, and those in the background are not`()
    async throws
  {
    let none = try await run(.named("container"), [])
    let main = try await run(.named("container"), Self.counts)
    let background = try await run(
      .named("container"), Self.counts + ["user.asks_in=background"])
    let statements = [none, main, background].map { $0.metrics[.mainStatements] ?? -1 }
    #expect(statements[1] > statements[0] && statements[2] == statements[0], "\(statements)")
    #expect(none.metrics[.answerMedian] == nil && none.metrics[.answersDropped] == nil)
  }

  @Test func `an answer that outlasts the window counts`() async throws {
    let sound = try TopologyDescriptor.named("container")
    let late = TopologyDescriptor(
      name: "late", wiring: "", summary: "", make: { Answers(try sound.make($0), .afterWindow) })
    let set = ["user.asks_in=background", "user.searches_per_s=5"]
    let result = try await run(late, [Self.searches[1]] + set)
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    #expect(result.metrics[.answerMax] ?? 0 > 0)
  }

  @Test func `an answer that the next letter overtakes is dropped`() async throws {
    let sound = try TopologyDescriptor.named("container")
    let slow = TopologyDescriptor(
      name: "slow", wiring: "", summary: "", make: { Answers(try sound.make($0), .late) })
    let set = ["user.fetches_per_s=100", "user.searches_per_s=100", "user.asks_in=background"]
    let result = try await run(slow, [Self.searches[1]] + set)
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    #expect(result.metrics[.answersDropped] ?? 0 >= 1)
  }

  @Test(arguments: [Answers.Fault.count, .rows, .order])
  func `a wrong answer makes the cell wrong`(fault: Answers.Fault) async throws {
    let sound = try TopologyDescriptor.named("container")
    let broken = TopologyDescriptor(
      name: "broken", wiring: "", summary: "", make: { Answers(try sound.make($0), fault) })
    let set = [
      Self.counts[0], "user.searches_per_s=20", "user.search_where=name == $text OR number > 0",
    ]
    for place in ["main", "background"] {
      let result = try await run(broken, set + ["user.asks_in=\(place)"])
      #expect(result.status == .wrong && result.error.contains(fault.text), "\(result.error)")
    }
  }

  @Test func `a topology of an app's own that answers nothing says what to write`() async throws {
    let sound = try TopologyDescriptor.named("container")
    let silent = TopologyDescriptor(
      name: "silent", wiring: "", summary: "", make: { Silent(try sound.make($0)) })
    let error = try await run(silent, Self.counts).error
    #expect(error.contains("implement countOnMain(_:)"), "\(error)")
  }

  @Test func `a search needs a predicate with what the user has typed`() async {
    #expect(await message("user.searches_per_s=5").contains("needs user.search_where"))
    let fixed = await message("user.searches_per_s=5", "user.search_where=name == 'a'")
    #expect(fixed.contains("user.search_where") && fixed.contains("needs `$text`"), "\(fixed)")
    let unknown = await message("user.counts_per_s=5", "user.count_where=name == $text")
    #expect(unknown.contains("user.count_where") && unknown.contains("unknown variable"))
    let hidden = await message(
      Self.searches[0], Self.searches[1], "list.count=0", "asks_about=change")
    #expect(hidden.contains("must be 0 with list.count 0"), "\(hidden)")
  }

  @Test func `the user types the words of rows, letter by letter`() throws {
    let scenario = try #require(
      try Scenario.load(
        file: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml", set: Self.searches
      ).first)
    let workload = try Workload.make(scenario, seed: 1)
    let (texts, last) = try workload.typed(40, attribute: 1)
    #expect(texts.count == 40 && !last.isEmpty)
    #expect(texts.contains { $0.count > 3 })
    for (text, next) in zip(texts, texts.dropFirst()) {
      #expect(next.count == 1 || next.dropLast() == text[...])
    }
  }
}

/// Passes everything on, apart from answers.
final class Answers: PassingTopology {
  enum Fault {
    case late, afterWindow, count, rows, order

    var text: String {
      switch self {
      case .late, .afterWindow: ""
      case .count: "a count found"
      case .rows: "and not the expected"
      case .order: "in the wrong order"
      }
    }
  }

  let sound: any Topology
  private let fault: Fault
  private let lookups = AsyncStream.makeStream(of: Void.self)
  private let settled = AsyncStream.makeStream(of: Void.self)
  private let isFirst = Lock(true)

  init(_ sound: any Topology, _ fault: Fault) { (self.sound, self.fault) = (sound, fault) }

  func countOnMain(_ query: ListQuery) throws -> Int {
    try sound.countOnMain(query) + (fault == .count ? 1 : 0)
  }

  func count(_ query: ListQuery) async throws -> Int {
    try await sound.count(query) + (fault == .count ? 1 : 0)
  }

  func searchOnMain(_ query: ListQuery) throws -> any ListOnMain {
    try sound.searchOnMain(changed(query))
  }

  func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    let isFirst = isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if fault == .late, isFirst {
      var waits = lookups.stream.makeAsyncIterator()
      for _ in 0..<3 { await waits.next() }
    }
    if fault == .afterWindow, isFirst {
      var settles = settled.stream.makeAsyncIterator()
      await settles.next()
    }
    return try await sound.search(changed(query))
  }

  private func changed(_ query: ListQuery) -> ListQuery {
    var changed = query
    switch fault {
    case .rows: changed.limit = 1
    case .order:
      changed.sortTerms = query.sortTerms.map {
        SortTerm($0.attribute, isAscending: !$0.isAscending)
      }
    case .late, .afterWindow, .count: break
    }
    return changed
  }

  func settle() async throws {
    try await sound.settle()
    settled.continuation.yield()
  }

  func fetchOnMain(_ keys: [Value]) throws -> Int {
    lookups.continuation.yield()
    return try sound.fetchOnMain(keys)
  }
}

private final class Silent: PassingTopology {
  let sound: any Topology

  init(_ sound: any Topology) { self.sound = sound }
}
