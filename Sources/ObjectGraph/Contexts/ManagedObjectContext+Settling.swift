// A merge policy settles conflicts and the save is tried again. Others may write in between:
//
//   attempts 1 to 3   others can write:  conflict ─ policy ─ hooks ─ write ─ conflict …
//   then              nobody else can:   conflict ─ policy ─ hooks ─ write ─ commit

extension ManagedObjectContext {
  private static let optimisticAttempts = 3

  /// - Parameter settle: returns what to write instead after a conflict.
  func commit(
    _ request: SaveRequest, to coordinator: any PersistentStoreCoordinator,
    settling settle: (SaveError) throws -> SaveRequest
  ) throws -> SaveReceipt {
    var request = request
    for _ in 0..<Self.optimisticAttempts {
      do { return try coordinator.commit(request) } catch let error as SaveError {
        request = try settle(error)
      }
    }
    return try coordinator.commit(request, settling: settle)
  }

  /// Applies the merge policy, and calls hooks again. Posts nothing: the coordinator may hold its
  /// locks.
  ///
  /// - Returns: the changes that remain, validated.
  func settle(
    _ error: SaveError, by resolution: inout ConflictResolution
  ) throws -> ContiguousArray<ManagedObject> {
    // A pinned context would read rows that are older than the conflict.
    if mergePolicy != .error { advanceGeneration() }
    var settled = try announced {
      try withoutUndo {
        try resolution.resolve(error)
        try propagateDeletes()
      }
    }
    settled += try repeatWillSaveHooks(for: settled)
    return try validatedChanges(callingHooksOf: Set(settled))
  }

  /// - Returns: the objects that these hooks changed.
  private func repeatWillSaveHooks(
    for settled: ContiguousArray<ManagedObject>
  ) throws -> ContiguousArray<ManagedObject> {
    guard model.hasWillSaveHooks else { return [] }
    var all: ContiguousArray<ManagedObject> = []
    var objects = settled.filter(\.isPending)
    var rounds = 0
    while !objects.isEmpty {
      objects = try announced {
        for object in objects { object.entity.hooks.willSave?(object) }
        try propagateDeletes()
      }.filter(\.isPending)
      all += objects
      rounds += 1
      checkWillSave(rounds)
    }
    return all
  }
}
