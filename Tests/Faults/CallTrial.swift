import Foundation
import ObjectGraph
import SQLiteStore

/// Tells the story of calls on a disk of which one call fails, and checks what follows.
struct CallTrial {
  let folder: URL
  let stores: FirstStores
  let story: CallStory
  let mode: StoreMode
  let fault: Fault?
  /// The outcome of an undisturbed story; nil to find out.
  let sound: Outcome?

  struct Outcome {
    var problems: [String] = []
    var rows: StoredRows?
    var counts: [DiskCall.Kind: Int] = [:]
    /// The steps that open connections, by index. GRDB stops the program if memory fails there.
    var opening: Set<Int> = []
    /// The step whose request went on without the failed call.
    var coped: String?
    /// The first error that a request threw.
    var error: (step: String, text: String)?
  }

  func run() throws -> Outcome {
    let url = folder.appending(path: "story.sqlite")
    try stores.copy(story.beginning, to: url)
    let disk = FailingDisk(fault)
    var outcome = Outcome()
    try SimulatedDisks.use(disk, for: folder) {
      let world = CallWorld(url, mode)
      defer { world.end() }
      for (index, step) in story.steps.enumerated() {
        let opened = disk.counts[.open]
        disk.countsAllocations(sound?.opening.contains(index) == false)
        do {
          try take(step, world, disk, &outcome)
          if disk.counts[.open] != opened { outcome.opening.insert(index) }
          if disk.hasFailed, outcome.error == nil { outcome.coped = outcome.coped ?? step.name }
        } catch {
          outcome.problems.append("\(step.name): \(error)")
          return
        }
      }
    }
    outcome.counts = disk.counts
    outcome.problems += openFiles().map { "left open: \($0)" }
    if outcome.problems.isEmpty { try checkRows(url, &outcome) }
    return outcome
  }

  private func take(
    _ step: CallStep, _ world: CallWorld, _ disk: FailingDisk, _ outcome: inout Outcome
  ) throws {
    try step.edit(world)
    let unsaved = world.unsavedChanges()
    do { try step.request(world) } catch {
      guard disk.hasFailed, !world.hasMetError else { throw error }
      outcome.error = outcome.error ?? (step.name, "\(error)")
      if let problem = problem(of: error, in: step, world) { outcome.problems.append(problem) }
      // Delete rules may have added changes.
      let lost = Set(unsaved).subtracting(world.unsavedChanges())
      outcome.problems += lost.sorted().map { "\(step.name): lost '\($0)' after \(error)" }
      disk.repair()
      world.hasMetError = true
      try step.request(world)
    }
  }

  /// The reason why no caller could act on the error, if any.
  private func problem(
    of error: any Error, in step: CallStep, _ world: CallWorld
  ) -> String? {
    guard let error = error as? StoreError else {
      return "\(step.name): \(type(of: error)) is no error of the store: \(error)"
    }
    guard case .sqlite(let path, let operation, let code, _) = error,
      path == world.configuration.path, step.operations.contains(operation),
      code == Int(fault?.code ?? 0)
    else { return "\(step.name): \(error)" }
    return nil
  }

  /// The descriptors of this process that lead into the folder.
  private func openFiles() -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }.filter { $0.hasPrefix(folder.path + "/") }
  }

  private func checkRows(_ url: URL, _ outcome: inout Outcome) throws {
    let rows = try StoredRows(url)
    outcome.rows = rows
    outcome.problems += rows.problems
    if let expected = sound?.rows, rows.lines != expected.lines {
      outcome.problems.append("the file has\n\(rows)\ninstead of\n\(expected)")
    }
  }
}
