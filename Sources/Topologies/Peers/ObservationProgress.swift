import Queues

/// Counts changes of observed rows, and those that have arrived on main. Any thread may use it.
final class ObservationProgress: Sendable {
  private struct State {
    var hasBegun = false
    var changes = 0
    /// -1 before the first list.
    var arrived = -1
    /// `changes` when a connection last began to read, by the connection's address.
    var changesWhenBegan: [UInt: Int] = [:]
    /// The timeline's changes that have not arrived.
    var works: [UInt32] = []
    var error: (any Error)?
    var waiting: [CheckedContinuation<Void, any Error>] = []

    /// How many changes are new in a list that contains `changes` changes.
    func arriving(with changes: Int) -> Int {
      max(0, min(changes - max(0, arrived), works.count))
    }

    mutating func released() -> [(CheckedContinuation<Void, any Error>, Result<Void, any Error>)] {
      guard error != nil || (hasBegun && arrived >= changes) else { return [] }
      defer { waiting.removeAll() }
      return waiting.map { ($0, error.map { .failure($0) } ?? .success(())) }
    }
  }

  private let state = Lock(State())

  /// From now on every change arrives on main.
  func began() { update { $0.hasBegun = true } }

  func changed() {
    let work = Timeline.callersChange
    update {
      $0.changes += 1
      $0.works.append(work)
    }
  }

  func willRead(_ connection: OpaquePointer) {
    let address = UInt(bitPattern: connection)
    update { $0.changesWhenBegan[address] = $0.changes }
  }

  func changesWhenBegan(_ connection: OpaquePointer?) -> Int {
    let address = UInt(bitPattern: connection)
    return state.withLock { $0.changesWhenBegan[address] ?? 0 }
  }

  func arrived(_ changes: Int) {
    if let thread = Activity.recorder?.timeline {
      let works = state.withLock { $0.works.prefix($0.arriving(with: changes)) }
      for work in works { thread.arrived(work) }
    }
    update { state in
      state.works.removeFirst(state.arriving(with: changes))
      state.arrived = max(state.arrived, changes)
    }
  }

  func failed(_ error: any Error) {
    update { if $0.error == nil { $0.error = error } }
  }

  /// Waits until main has every change made so far.
  ///
  /// - Throws: the error that ended the observation.
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
