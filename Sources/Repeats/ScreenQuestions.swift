import Measurement
import ObjectGraph
import Queues
import Support
import Topologies
import Workload

// The screen asks the store at fixed rates in the window:
//
//   on main       letter ─▶ search ─▶ read the visible rows        one block
//   background    letter ─▶ task: search ┄▶ main: read them        dropped after another letter
//
// In the background, counts wait for counts and searches for searches.

/// The counts and searches of a cell, and how long their answers take.
// @unchecked: the `var`s are confined to the main queue. The rest is immutable or locked.
final class ScreenQuestions: @unchecked Sendable {
  private struct Asked: Sendable {
    var query: ListQuery
    /// The number of the search; nil for a count.
    var search: Int?
    /// When the user asked.
    var asked = Instant(nanoseconds: 0)
  }

  private let topology: any Topology
  private let place: AskingPlace
  private let visibleRows: Int
  /// In the order of the window.
  private let counts: [Asked]
  private let searches: [Asked]
  private let user: Scenario.User
  private let lastSearch: ListQuery?
  private let keyIndex: Int
  private let newestSearch = Lock(-1)
  private var (countsMade, searchesMade) = (0, 0)
  private let countStream = AsyncStream.makeStream(of: Asked.self)
  private let searchStream = AsyncStream.makeStream(of: Asked.self)
  /// Read these two on main.
  private(set) var answers: [Duration] = []
  private(set) var dropped = 0
  private var firstError: (any Error)?

  var count: Int { counts.count + searches.count }

  init(_ cell: PreparedCell, _ topology: any Topology) {
    self.topology = topology
    user = cell.scenario.user
    place = user.asksIn
    visibleRows = cell.screen.visibleRows
    keyIndex = cell.model.list.keyIndex
    lastSearch = cell.typed.isEmpty ? nil : cell.searchQuery(for: cell.lastTyped)
    let counted = user.countsPerSecond.events(in: cell.scenario.horizon)
    counts = Array(repeating: Asked(query: cell.countQuery), count: counted)
    searches = cell.typed.enumerated().map {
      Asked(query: cell.searchQuery(for: $1), search: $0)
    }
  }

  /// The due times of the window's questions, with what each does on main.
  func events(from opening: Instant, on main: SimulatedMainQueue) -> [(
    Instant, @Sendable () -> Void
  )] {
    let rates = [(counts, user.countsPerSecond), (searches, user.searchesPerSecond)]
    return rates.flatMap { questions, rate in
      questions.enumerated().map { number, question in
        let due = opening + .seconds(Double(number + 1) / rate)
        var question = question
        question.asked = due
        return (due, { [question] in self.ask(question, on: main) })
      }
    }
  }

  private func ask(_ question: Asked, on main: SimulatedMainQueue) {
    note(question)
    guard place == .main else {
      let stream = question.search == nil ? countStream : searchStream
      return _ = stream.continuation.yield(question)
    }
    attempt {
      if question.search == nil {
        _ = try topology.countOnMain(question.query)
      } else {
        read(try topology.searchOnMain(question.query))
      }
      answers.append(main.clock.now() - question.asked)
    }
  }

  private func note(_ question: Asked) {
    if let search = question.search { newestSearch.withLock { $0 = max($0, search) } }
  }

  /// Answers the questions of the background until `end`.
  func answer(on main: SimulatedMainQueue) async {
    async let counts: Void = answer(countStream.stream, on: main)
    await answer(searchStream.stream, on: main)
    await counts
  }

  private func answer(_ questions: AsyncStream<Asked>, on main: SimulatedMainQueue) async {
    for await question in questions {
      do {
        try await answer(question, on: main)
      } catch {
        main.async { self.firstError = self.firstError ?? error }
      }
    }
  }

  private func answer(_ question: Asked, on main: SimulatedMainQueue) async throws {
    guard let search = question.search else {
      _ = try await topology.count(question.query)
      return try await main.run { self.answers.append(main.clock.now() - question.asked) }
    }
    guard search == newestSearch.withLock({ $0 }) else {
      return try await main.run { self.dropped += 1 }
    }
    let found = try await topology.search(question.query)
    try await main.run { [self] in
      guard search == newestSearch.withLock({ $0 }) else { return dropped += 1 }
      Activity.slice(.perform) { read(found) }
      answers.append(main.clock.now() - question.asked)
    }
  }

  /// Ends `answer` after the questions that were asked.
  func end() { for stream in [countStream, searchStream] { stream.continuation.finish() } }

  /// Asks the next count and the next search, and waits for the answers: for a counted cell.
  func answerNext(on main: SimulatedMainQueue) async throws {
    guard count > 0 else { return }
    let next = try await main.run { [self] in
      defer { (countsMade, searchesMade) = (countsMade + 1, searchesMade + 1) }
      let next =
        counts.dropFirst(countsMade).prefix(1) + searches.dropFirst(searchesMade).prefix(1)
      let now = main.clock.now()
      return next.map { Asked(query: $0.query, search: $0.search, asked: now) }
    }
    for question in next {
      guard place == .main else {
        note(question)
        try await answer(question, on: main)
        continue
      }
      try await main.run { [self] in ask(question, on: main) }
    }
  }

  /// The answers to a count and to a search for a whole word, in the place where the user asks.
  /// Nil if the user asks nothing.
  func last(on main: SimulatedMainQueue) async throws -> Answer? {
    guard count > 0 else { return nil }
    let (count, search) = (counts.first?.query, lastSearch)
    guard place == .background else {
      return try await main.run { [topology, keyIndex] in
        Answer(
          count: try count.map(topology.countOnMain),
          keys: try search.map { try topology.searchOnMain($0).column(keyIndex) })
      }
    }
    var answer = Answer()
    if let count { answer.count = try await topology.count(count) }
    guard let search else { return answer }
    let found = try await topology.search(search)
    answer.keys = try await main.run { [keyIndex] in found.column(keyIndex) }
    return answer
  }

  private func read(_ list: any ListOnMain) {
    for index in 0..<min(visibleRows, list.count) { _ = list.cell(at: index) }
  }

  /// Runs `work` as database work, and keeps the first error.
  private func attempt(_ work: () throws -> Void) {
    do {
      try Activity.slice(.perform, work)
    } catch {
      firstError = firstError ?? error
    }
  }

  /// Call it on main.
  func check() throws { if let firstError { throw firstError } }
}
