import ObjectGraph

// After a conflict, a save is repeated with the changes that the merge policy keeps:
//
//                  clashing property   other local edits   other properties   missing row
//  store trump     the store's         kept                the store's        deleted here
//  object trump    the local one       kept                the store's        inserted again
//  overwrite       the local one       kept                the local ones     inserted again
//  rollback        the store's         dropped             the store's        deleted here

extension ReferenceContext {
  /// - Returns: the sent objects, which a merge policy may have changed, and the result.
  func send() -> ([ReferenceObject], Outcome) {
    var conflicts: Set<Int> = []
    // Each attempt resolves some conflicts. Ten attempts without success fail.
    for _ in 0..<10 {
      let changed = pending
      let invalid = changed.filter { !$0.isDeleted && isRelatedToDeleted($0) }
      guard invalid.isEmpty || world.slip == .deletedTargetsAreSaved else {
        world.remark("save of what is related to a deleted object")
        return (changed, .invalid(Set(invalid.map(\.n))))
      }
      if let parent {
        parent.absorb(changed)
        return (changed, .done)
      }
      conflicts = store.write(changed, unsaved: world.temporary)
      if conflicts.isEmpty { return (changed, .done) }
      guard policy != .error else { break }
      world.remark("conflict settled by \(policy.rawValue)")
      for object in conflicts.sorted().compactMap({ objects[$0] }) { settle(object) }
    }
    return ([], .conflict(conflicts))
  }

  private func isRelatedToDeleted(_ object: ReferenceObject) -> Bool {
    object.newTargets.contains { objects[$0]?.change == .deleted }
  }

  private var prefersObject: Bool { policy == .objectTrump || policy == .overwrite }

  private func settle(_ object: ReferenceObject) {
    fire(object)
    guard let row = store.row(object.n) else { return settleWithoutRow(object) }
    if object.change != .deleted {
      settle(object, against: row)
    } else if prefersObject {
      return object.base = row
    } else {
      object.change = .none
      object.realise(row)
      announce(object, .inserted)
    }
    announce(object, .refreshed)
  }

  private func settle(_ object: ReferenceObject, against row: ReferenceRow) {
    let base = object.base
    switch world.slip == .localChangesWin ? .objectTrump : policy {
    case .storeTrump:
      object.edits = object.changedValues.filter {
        row.values[$0.key] == base?.values[$0.key]
      }
    case .objectTrump: object.edits = object.changedValues
    case .overwrite: object.edits = object.allValues
    case .rollback, .error: object.edits = [:]
    }
    object.rebase(on: row)
    if policy == .rollback {
      for relation in object.kind.relations { object.members[relation]?.edits = [:] }
    }
  }

  private func settleWithoutRow(_ object: ReferenceObject) {
    if (prefersObject || world.slip == .goneRowsComeBack) && !object.isDeleted {
      object.edits = object.allValues
      object.base = nil
      for relation in object.kind.relations { object.members[relation]?.below = nil }
      object.change = .inserted
    } else {
      object.change = .ghost
      announce(object, .deleted)
    }
  }
}
