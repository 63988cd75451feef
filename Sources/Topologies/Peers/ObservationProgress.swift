import Queues

/// How many changes there have been, and of how many main has heard. Any thread may tell.
final class ObservationProgress: Sendable {
  private struct State {
    var hasBegun = false
    var changes = 0
    /// -1 before the first.
    var arrived = -1
    /// How many changes there were when a connection last began to read, by the connection's address.
    var changesWhenBegan: [UInt: Int] = [:]
    /// What each was the work of that has not arrived, for a timeline.
    var works: [UInt32] = []
    var error: (any Error)?
    var waiting: [CheckedContinuation<Void, any Error>] = []

    /// How many changes more there are where there are so many.
    func arriving(with changes: Int) -> Int {
      max(0, min(changes - max(0, arrived), works.count))
    }

    /// Those that need wait no longer, and how it ended.
    mutating func released() -> [(CheckedContinuation<Void, any Error>, Result<Void, any Error>)] {
      guard error != nil || (hasBegun && arrived >= changes) else { return [] }
      defer { waiting.removeAll() }
      return waiting.map { ($0, error.map { .failure($0) } ?? .success(())) }
    }
  }

  private let state = Lock(State())

  /// From now on every change is told.
  func began() { update { $0.hasBegun = true } }

  /// A commit changed what is watched.
  func changed() {
    let work = Timeline.callersChange
    update {
      $0.changes += 1
      $0.works.append(work)
    }
  }

  /// A connection is about to read.
  func willRead(_ connection: OpaquePointer) {
    let address = UInt(bitPattern: connection)
    update { $0.changesWhenBegan[address] = $0.changes }
  }

  func changesWhenBegan(_ connection: OpaquePointer?) -> Int {
    let address = UInt(bitPattern: connection)
    return state.withLock { $0.changesWhenBegan[address] ?? 0 }
  }

  /// Main has what there was after so many changes.
  func arrived(_ changes: Int) {
    if let thread = Activity.recorder?.timeline {
      for work in worksArriving(with: changes) { thread.arrived(work) }
    }
    update { state in
      state.works.removeFirst(state.arriving(with: changes))
      state.arrived = max(state.arrived, changes)
    }
  }

  private func worksArriving(with changes: Int) -> [UInt32] {
    state.withLock { Array($0.works.prefix($0.arriving(with: changes))) }
  }

  func failed(_ error: any Error) {
    update { if $0.error == nil { $0.error = error } }
  }

  /// Returns when main has all that has changed until then.
  ///
  /// - Throws: why no more will come.
  func allArrived() async throws {
    try await withCheckedThrowingContinuation { continuation in
      update { $0.waiting.append(continuation) }
    }
  }

  private func update(_ change: @Sendable (inout State) -> Void) {
    let released = state.withLock { state in
      change(&state)
      return state.released()
    }
    for (continuation, result) in released { continuation.resume(with: result) }
  }
}
