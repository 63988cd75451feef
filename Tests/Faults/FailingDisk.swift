import Queues

/// Counts the calls of each kind. One of them fails.
final class FailingDisk: SimulatedDisk {
  private struct State {
    var fault: Fault?
    var counts: [DiskCall.Kind: Int] = [:]
    var hasFailed = false
    var countsAllocations = false
  }

  private let state: Lock<State>

  init(_ fault: Fault? = nil) { state = Lock(State(fault: fault)) }

  var counts: [DiskCall.Kind: Int] { state.withLock { $0.counts } }
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  func countsAllocations(_ counts: Bool) { state.withLock { $0.countsAllocations = counts } }

  func repair() { state.withLock { $0.fault = nil } }

  /// The next call of the kind fails, or the one after some more.
  func failNext(
    _ kind: DiskCall.Kind, _ failure: Fault.Failure, after skipped: Int = 0,
    isLasting: Bool = false
  ) {
    state.withLock { state in
      state.countsAllocations = true
      state.fault = Fault(
        kind: kind, number: state.counts[kind, default: 0] + skipped + 1, failure: failure,
        isLasting: isLasting)
    }
  }

  func decide(_ call: DiskCall) -> CInt {
    let kind = call.kind
    return state.withLock { state in
      guard kind != .allocate || state.countsAllocations else { return 0 }
      let number = state.counts[kind, default: 0] + 1
      state.counts[kind] = number
      guard let fault = state.fault, fault.fails(kind, number) else { return 0 }
      state.hasFailed = true
      return fault.code
    }
  }
}

extension Fault {
  fileprivate func fails(_ kind: DiskCall.Kind, _ number: Int) -> Bool {
    guard kind == self.kind else { return false }
    return isLasting ? number >= self.number : number == self.number
  }
}
