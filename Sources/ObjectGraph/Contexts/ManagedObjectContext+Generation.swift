// What a pinned context reads:
//
//   store       ─ 1 ───── 2 ──────── 3 ──────▶   commits of others
//   context     pinned ─ reads 1 ─ reads 1 ─ save ─ reads 3
//
// It goes on to the newest state at its next read after a save, a merge or a reset: its own writes
// and what it was told of are never missing.

extension ManagedObjectContext {
  /// The state of the store that this context's fetches and faults read; nil if each reads the newest,
  /// and always nil for a child, whose parent reads.
  public var queryGenerationToken: QueryGenerationToken? {
    assertOnQueue()
    return generation
  }

  /// Pins this context to a state of the store: to that of another context's token, to the one at its
  /// next read (`.current`), or to none (nil). Objects that are registered stay as they are;
  /// refresh them to see them in the new state.
  ///
  /// - Precondition: this is no child; the token is of a context of the same coordinator.
  public func setQueryGeneration(from token: QueryGenerationToken?) {
    assertOnQueue()
    guard case .coordinator = parent else {
      preconditionFailure(
        "context '\(name)' is a child, which reads what its parent reads; pin the root context")
    }
    precondition(
      token?.reader.map { $0.storeNumber == coordinator.storeNumber } != false,
      "context '\(name)' cannot be pinned to a state of another store")
    generation = token
  }

  /// The next read shows the newest state.
  func advanceGeneration() {
    if generation != nil { generation = .current }
  }

  /// Who answers the reads of a root context: the coordinator, or a state of the store that this is
  /// pinned to.
  func reader(
    _ coordinator: any PersistentStoreCoordinator
  ) throws -> any PersistentStoreCoordinator {
    guard let generation else { return coordinator }
    if let reader = generation.reader { return reader }
    let chosen = try QueryGenerationToken(of: coordinator)
    self.generation = chosen
    return chosen.reader ?? coordinator
  }
}
