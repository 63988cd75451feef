// A new object has the unique values of a stored row. The row stays, and the new object goes. A
// policy that prefers the object gives the row the new object's values and relations:
//
//   new  ─dept→ Sales, ─projects⇉ Site      row  ─dept→ Sales, ─projects⇉ App, Site
//
// Empty relations of the new object change nothing: nobody has set them.

extension ConflictResolution {
  func resolve(_ conflicts: [ConstraintConflict]) throws {
    for conflict in conflicts {
      guard let object = context.object(registeredFor: conflict.objectID) else { continue }
      if object.isInserted {
        try mergeInsert(object, into: conflict)
      } else {
        try resolveUpdate(object, for: conflict)
      }
    }
  }

  private func mergeInsert(_ object: ManagedObject, into conflict: ConstraintConflict) throws {
    let existing = context.object(with: conflict.rowID)
    if existing.isFault { try context.readFault(existing) }
    if context.mergePolicy.prefersObject && !existing.isDeleted {
      takeAttributes(of: object, existing)
      try takeRelations(of: object, existing)
    }
    context.delete(object)
    try context.propagateDeletes()
  }

  /// Takes only columns that both entities have. Inherited columns come first in both.
  private func takeAttributes(of object: ManagedObject, _ existing: ManagedObject) {
    for (column, pair) in zip(object.entity.columns, existing.entity.columns).enumerated() {
      guard pair.0 == pair.1, pair.0.relationship == nil,
        existing.values[column] != object.values[column]
      else { continue }
      existing.write(object.values[column], at: column)
    }
  }

  private func takeRelations(of object: ManagedObject, _ existing: ManagedObject) throws {
    guard object.resolved.hasRelationships else { return }
    for (column, pair) in zip(object.entity.columns, existing.entity.columns).enumerated() {
      guard pair.0 == pair.1, object.resolved.toOne[column] != nil,
        let id = object.values[column].objectID
      else { continue }
      context.setToOne(of: object, at: column, to: nil)
      try relate(id, object, existing) { context.setToOne(of: existing, at: column, to: $0) }
    }
    for (index, pair) in zip(
      object.entity.toManyRelationships, existing.entity.toManyRelationships
    ).enumerated() where pair.0 == pair.1 {
      for id in object.toMany[index].members {
        context.set(context.object(with: id), isMember: false, of: object, at: index)
        try relate(id, object, existing) {
          context.set($0, isMember: true, of: existing, at: index)
        }
      }
    }
    takeOneWayRelations(to: object, existing)
  }

  /// Does nothing if the target is gone.
  private func relate(
    _ id: ManagedObjectID, _ object: ManagedObject, _ existing: ManagedObject,
    _ body: (ManagedObject) -> Void
  ) throws {
    let target = id == object.objectID ? existing : context.object(with: id)
    if target.isFault { try context.readFault(target) }
    if target.state.isDisjoint(with: [.deleted, .vanishing, .removed]) { body(target) }
  }

  private func takeOneWayRelations(to object: ManagedObject, _ existing: ManagedObject) {
    for other in context.changed where other.isPending && !other.isDeleted {
      for (column, relationship) in other.resolved.toOne.enumerated()
      where relationship?.inverse == nil && other.values[column] == .object(object.objectID) {
        other.write(.object(existing.objectID), at: column)
      }
    }
  }

  /// Deletes the other row if the policy prefers the object. Otherwise drops the object's edits to
  /// the constraint's columns.
  private func resolveUpdate(_ object: ManagedObject, for conflict: ConstraintConflict) throws {
    if context.mergePolicy.prefersObject {
      let holder = context.object(with: conflict.rowID)
      if holder.isFault { try context.readFault(holder) }
      context.delete(holder)
      try context.propagateDeletes()
    } else if let committed = object.committed {
      for name in conflict.constraint {
        guard let column = object.entity.index(of: name) else { continue }
        dropEdit(of: object, at: column, from: committed)
      }
      context.repeatRules(of: object)
      context.announce(object, as: .newlyRefreshed)
    }
  }
}
