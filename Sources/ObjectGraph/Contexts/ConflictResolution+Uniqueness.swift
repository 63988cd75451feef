// A new object has the unique values of a stored row. The row stays, and the new object goes. A
// policy that prefers the object gives the row the new object's values and relations:
//
//   new  ─dept→ Sales, ─projects⇉ Site      row  ─dept→ Sales, ─projects⇉ App, Site
//
// The row also takes empty attributes and empty to-one relations; to-many relations are united. So
// a bare duplicate blanks the row, as in Core Data. Apps fill it first (`conflictHandler`), or
// restore the row afterwards:
// github.com/kasianov-mikhail/scout/pull/1191 ("blanks the fields a bare insert never set")
// github.com/rileytestut/Roxas, RSTRelationshipPreservingMergePolicy.m ("was _not_ explicitly set
// to nil, so restore previous relationship")

extension ConflictResolution {
  mutating func resolve(_ conflicts: [ConstraintConflict]) throws {
    if context.mergePolicy.prefersObject { try refreshRows(of: conflicts) }
    for conflict in conflicts {
      guard let object = context.object(registeredFor: conflict.objectID) else { continue }
      if object.isInserted {
        try mergeInsert(object, into: conflict)
      } else {
        try resolveUpdate(object, for: conflict)
      }
    }
  }

  /// Another context may have changed the row since its object was read. An older value that equals
  /// the new object's would leave the row's.
  private mutating func refreshRows(of conflicts: [ConstraintConflict]) throws {
    let ids = conflicts.map(\.rowID)
    // The row cache may be outdated, too.
    coordinator.forgetRows(of: ids)
    for (id, row) in zip(ids, try coordinator.snapshots(of: ids)) {
      guard let row, let object = context.object(registeredFor: id),
        !object.isFault, !object.isDeleted, object.row.version != row.version
      else { continue }
      try resolve(object, against: row)
    }
    settleRelations()
  }

  private mutating func mergeInsert(_ object: ManagedObject, into conflict: ConstraintConflict)
    throws
  {
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

  private mutating func takeRelations(of object: ManagedObject, _ existing: ManagedObject) throws {
    guard object.resolved.hasRelationships else { return }
    for (column, pair) in zip(object.entity.columns, existing.entity.columns).enumerated()
    where pair.0 == pair.1 && object.resolved.toOne[column] != nil {
      let target = try object.values[column].objectID.flatMap { try living($0, object, existing) }
      if target != nil { context.setToOne(of: object, at: column, to: nil) }
      guard existing.values[column].objectID != target?.objectID else { continue }
      context.setToOne(of: existing, at: column, to: target)
    }
    for (index, pair) in zip(
      object.entity.toManyRelationships, existing.entity.toManyRelationships
    ).enumerated() where pair.0 == pair.1 {
      for id in object.toMany[index].members {
        context.set(context.object(with: id), isMember: false, of: object, at: index)
        if let target = try living(id, object, existing) {
          context.set(target, isMember: true, of: existing, at: index)
        }
      }
    }
    takeOneWayRelations(to: object, existing)
  }

  /// The target of the row's relation; nil if the target is gone.
  private func living(
    _ id: ManagedObjectID, _ object: ManagedObject, _ existing: ManagedObject
  ) throws -> ManagedObject? {
    let target = id == object.objectID ? existing : context.object(with: id)
    if target.isFault { try context.readFault(target) }
    return target.state.isDisjoint(with: [.deleted, .vanishing, .removed]) ? target : nil
  }

  private mutating func takeOneWayRelations(to object: ManagedObject, _ existing: ManagedObject) {
    let relations = oneWayRelations ?? pendingOneWayRelations
    oneWayRelations = relations
    for (other, column) in relations[object.objectID] ?? []
    where !other.isDeleted && other.values[column] == .object(object.objectID) {
      other.write(.object(existing.objectID), at: column)
    }
  }

  /// Collected once for all duplicates of a save.
  private var pendingOneWayRelations: [ManagedObjectID: [(object: ManagedObject, column: Int)]] {
    var relations: [ManagedObjectID: [(object: ManagedObject, column: Int)]] = [:]
    for other in context.changed where other.isPending && !other.isDeleted {
      for (column, relationship) in other.resolved.toOne.enumerated() {
        guard let relationship, relationship.inverse == nil,
          let id = other.values[column].objectID
        else { continue }
        relations[id, default: []].append((other, column))
      }
    }
    return relations
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
