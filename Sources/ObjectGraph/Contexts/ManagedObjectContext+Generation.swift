// A pinned context reads one state of the store:
//
//   store       ─ 1 ───── 2 ──────── 3 ──────▶   commits of others
//   context     pinned ─ reads 1 ─ reads 1 ─ save ─ reads 3
//
// A save, a merge or a reset moves the context to the newest state at its next read. The context
// always sees its own writes and the changes that it merged.

extension ManagedObjectContext {
  /// The state of the store that this context reads. Nil if it reads the newest; nil for a child.
  public var queryGenerationToken: QueryGenerationToken? {
    assertOnQueue()
    return generation
  }

  /// Pins this context to the state of another context's token, to the state at its next read
  /// (`.current`), or to none (nil). Registered objects keep their values; refresh them to see the
  /// new state.
  ///
  /// - Precondition: this context has a coordinator as parent, and the token is of the same
  ///   coordinator.
  public func setQueryGeneration(from token: QueryGenerationToken?) {
    assertOnQueue()
    guard case .coordinator = parent else {
      fatalError(
        "context '\(name)' is a child and reads from its parent; pin the root context")
    }
    require(
      token?.reader.map { $0.storeNumber == coordinator.storeNumber } != false,
      "context '\(name)' cannot be pinned to a token of another store")
    generation = token
  }

  /// Makes the next read take the newest state.
  func advanceGeneration() {
    if generation != nil { generation = .current }
  }

  /// The reader of a root context: its coordinator, or the pinned state of the store.
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
