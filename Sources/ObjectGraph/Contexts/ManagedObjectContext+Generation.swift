// A pinned context reads one state of the store:
//
//   store       ─ 1 ───── 2 ──────── 3 ──────▶   commits of others
//   context     pinned ─ reads 1 ─ reads 1 ─ save ─ reads 3
//
// A save, a merge or a reset moves the context to the newest state at its next read. It always sees
// its own writes and the changes that it merged.

extension ManagedObjectContext {
  /// Nil if this context reads the newest state, and for a child.
  public var queryGenerationToken: QueryGenerationToken? {
    assertOnQueue()
    return generation
  }

  /// Pins this context to a token's state, to the state at its next read (`.current`), or to none
  /// (nil). Registered objects keep their values until refreshed.
  ///
  /// - Precondition: the parent is the token's coordinator.
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

  func advanceGeneration() {
    if generation != nil { generation = .current }
  }

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
