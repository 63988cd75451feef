import Foundation
import ObjectGraph
import SQLiteStore
import Support

/// Tells a story on a disk that loses its power, restarts, and compares the file with the states
/// of an undisturbed story:
///
///     step      open ── 1 ── 2 ── 3 ── 4 ─╳ 5
///     FULL                        └────┴──┴─ one of these states is found
///     NORMAL         └─ the last checkpoint
struct CutTrial {
  let folder: URL
  let stores: FirstStores
  let story: CutStory

  /// The rows before the first step, then those after each.
  private(set) var states: [[String]] = []
  private(set) var changes = 0

  var url: URL { folder.appending(path: "story.sqlite") }
  /// In another folder, whose changes the disk does not count.
  private var copy: URL { folder.appending(path: "copy/copy.sqlite") }

  init(folder: URL, stores: FirstStores, story: CutStory) throws {
    self.folder = folder
    self.stores = stores
    self.story = story
    try FileManager.default.createDirectory(
      at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
    try begin()
    states = [try rows().lines]
    let disk = CutDisk()
    try SimulatedDisks.use(disk, for: folder) {
      let world = CutWorld(url, story)
      for step in story.steps {
        try world.perform(step)
        states.append(try rows().lines)
      }
    }
    changes = disk.changes
  }

  func begin() throws {
    try stores.copy(story.beginning, to: url)
  }

  /// Of a copy, so that the check neither recovers nor changes the store.
  private func rows() throws -> StoredRows {
    try StoreFile.remove(at: copy)
    for suffix in ["", "-wal", "-journal"] {
      let content = FileManager.default.contents(atPath: url.path + suffix)
      try content?.write(to: URL(filePath: copy.path + suffix))
    }
    return try StoredRows(copy)
  }

  struct Outcome {
    var problems: [String] = []
    /// Whether commits that the story had seen are gone.
    var hasLost = false
  }

  /// The states that the store may be in, and the last that the story saw.
  struct Promise {
    var states: ClosedRange<Int>
    let seen: Int
  }

  /// - Parameter number: the cut's, from which it is drawn.
  func cut(_ number: Int) throws -> Outcome {
    var generator = SplitMix64(seed: story.seed, stream: UInt64(number) + 1)
    let change = 1 + generator.next(below: changes)
    try begin()
    var promise = try tell(on: CutDisk(cutAt: change), using: &generator)
    // The next start may be cut too.
    if generator.next(below: 3) == 0 { try cutRestart(&promise, using: &generator) }
    // Nothing is promised.
    guard story.synchronous != .off else { return damage() }
    var outcome = try check(promise)
    outcome.problems += try reopen()
    outcome.problems = outcome.problems.map { "cut at change \(change) of \(changes): \($0)" }
    return outcome
  }

  private func tell(on disk: CutDisk, using generator: inout SplitMix64) throws -> Promise {
    var (done, durable) = (0, 0)
    try SimulatedDisks.use(disk, for: folder) {
      let world = CutWorld(url, story)
      defer { world.end() }
      for step in story.steps {
        let checkpoints = world.checkpoints
        do { try world.perform(step) } catch {
          guard disk.isCut else { throw error }
          return
        }
        done += 1
        if story.synchronous == .full || world.checkpoints > checkpoints { durable = done }
        if case .close = step, !disk.isCut { durable = done }
      }
    }
    try restart(disk, using: &generator)
    return Promise(states: durable...min(done + 1, states.count - 1), seen: done)
  }

  /// Opening may migrate the store, or create it.
  private func cutRestart(
    _ promise: inout Promise, using generator: inout SplitMix64
  ) throws {
    let disk = CutDisk(cutAt: 1 + generator.next(below: 30))
    try SimulatedDisks.use(disk, for: folder) {
      let world = CutWorld(url, story)
      defer { world.end() }
      do { for step in [CutStory.Step.open, .close] { try world.perform(step) } } catch {
        guard disk.isCut || story.synchronous == .off else { throw error }
      }
    }
    try restart(disk, using: &generator)
    promise.states = promise.states.lowerBound...max(1, promise.states.upperBound)
  }

  private func restart(_ disk: CutDisk, using generator: inout SplitMix64) throws {
    let survival = Survival.allCases[generator.next(below: Survival.allCases.count)]
    let survivors = disk.survivors(survival, using: &generator)
    try StoreFile.remove(at: url)
    for (name, content) in survivors {
      try Data(content).write(to: folder.appending(path: name))
    }
  }

  func check(_ promise: Promise) throws -> Outcome {
    let rows = try rows()
    var outcome = Outcome(problems: rows.problems)
    if !states[promise.states].contains(rows.lines) {
      outcome.problems.append("states \(promise.states) were possible, not\n\(rows)")
    }
    outcome.hasLost = !states[promise.seen...].contains(rows.lines)
    return outcome
  }

  /// Whether the file is in none of the story's states.
  private func damage() -> Outcome {
    let rows = try? rows()
    return Outcome(hasLost: rows?.problems.isEmpty != true || !states.contains(rows?.lines ?? []))
  }

  /// The store can be used again.
  func reopen() throws -> [String] {
    let world = CutWorld(url, story)
    defer { world.end() }
    try world.perform(.open)
    try world.perform(.raiseRanks(77))
    try world.perform(.close)
    let rows = try rows()
    let wrong = rows.lines.filter { $0.hasPrefix("item ") && !$0.contains("rank 77") }
    return rows.problems + wrong.map { "after the restart, no batch request changed '\($0)'" }
  }
}
