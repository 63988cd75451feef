// The order in which a group is applied:
//
//   1  faults fire                 without a row, their delete rules may delete what then returns
//   2  objects return              so that relations lead to registered objects
//   3  columns                     unless another context changed them since
//   4  members                     of a one-to-many relationship by the other side's column
//   5  objects leave

struct UndoReplay {
  let group: UndoGroup
  let context: ManagedObjectContext
  let knownRows: [ManagedObject: RowSnapshot]
  /// One-to-one relationships that another context changed on one side. Undo skips both sides.
  private(set) var blocked: Set<OneToOne> = []
  private(set) var changed: Set<ManagedObject> = []
  private(set) var returned: Set<ManagedObject> = []
  /// Objects with values that are not restored, because another context changed them.
  private(set) var refused: Set<ManagedObject> = []
  /// Objects to which rows of other contexts lead again.
  private(set) var partners: [ManagedObject] = []

  /// Identifies a one-to-one relationship by the columns of both sides.
  struct OneToOne: Hashable {
    let ends: Set<[Int]>

    init?(_ relationship: ResolvedRelationship?) {
      guard let relationship, case .toOne(let column) = relationship.end,
        case .toOne(let back)? = relationship.inverse
      else { return nil }
      ends = [[relationship.source, column], [relationship.destination, back]]
    }
  }

  mutating func run() {
    let present = group.edits.filter { UndoGroup.Life(of: $0.object) == .present }
    for edit in present { fire(edit.object) }
    for edit in group.edits where edit.life.after == .present { bringBack(edit.object) }
    let living = group.edits.filter { isLiving($0.object) }
    for edit in living { block(edit) }
    for edit in living { applyColumns(of: edit) }
    for edit in living { applyMembers(of: edit) }
    for object in returned { dropOthersMembers(of: object) }
    for object in living.map(\.object) + partners { finish(object) }
    for edit in group.edits where edit.life.after != .present { takeAway(edit.object) }
  }

  private func fire(_ object: ManagedObject) {
    if object.isFault { try? context.readFault(object) }
  }

  /// Whether the object is present and readable.
  private func isLiving(_ object: ManagedObject) -> Bool {
    UndoGroup.Life(of: object) == .present && !object.isFault
  }

  // MARK: - Objects

  /// Brings back an object, unless another context has saved its deletion.
  private mutating func bringBack(_ object: ManagedObject) {
    guard UndoGroup.Life(of: object) != .present, !object.state.contains(.deletedByMerge) else {
      return
    }
    if object.state.contains(.removed) {
      // Another object may have the row by now.
      guard context.object(registeredFor: object.objectID) == nil else { return }
      context.readmit(object)
    }
    if object.state.contains(.deleted) { ReturnedRows.add(inStore: context.storeNumber) }
    let isNew = object.state.contains(.inserted) || object.committed == nil
    object.state.subtract([.updated, .deleted, .vanishing])
    if isNew { object.state.insert(.inserted) }
    returned.insert(object)
    changed.insert(object)
  }

  private func takeAway(_ object: ManagedObject) {
    let before = object.state
    guard before.isDisjoint(with: [.removed, .deleted, .vanishing]) else { return }
    context.announce(object, as: .newlyDeleted)
    object.state.subtract([.inserted, .updated])
    if before.contains(.inserted) {
      context.forget(object)
    } else {
      object.state.insert(.deleted)
      context.listAsChanged(object)
      // Another context may have related objects to it since.
      if object.resolved.hasRelationships { context.pendingDeletes.append(object) }
    }
  }

  private func finish(_ object: ManagedObject) {
    guard changed.contains(object) else { return }
    if !object.isInserted {
      object.state.remove(.updated)
      if object.hasEdits { object.state.insert(.updated) } else { object.touched = [] }
    }
    if object.hasChanges {
      context.listAsChanged(object)
    } else {
      context.changedNeedsPruning = true
    }
    context.announce(object, as: returned.contains(object) ? .newlyInserted : .newlyUpdated)
  }

  // MARK: - Columns

  private mutating func block(_ edit: UndoGroup.Edit) {
    for (column, change) in edit.columns where !canApply(change, to: edit.object, at: column) {
      if let relation = OneToOne(edit.object.resolved.toOne[column]) { blocked.insert(relation) }
    }
  }

  private func canApply(
    _ change: UndoGroup.Change<Value>, to object: ManagedObject, at column: Int
  ) -> Bool {
    let current = object.values[column]
    return current == permanent(change.before) || current == permanent(change.after)
  }

  private mutating func applyColumns(of edit: UndoGroup.Edit) {
    for (column, change) in edit.columns {
      let object = edit.object
      let isBlocked = OneToOne(object.resolved.toOne[column]).map(blocked.contains) ?? false
      if !isBlocked && canApply(change, to: object, at: column) {
        apply(permanent(change.after), to: object, at: column)
      } else if let committed = object.committed?.values[column],
        committed != known(object, at: column) ?? committed
      {
        refused.insert(object)
      }
    }
  }

  private mutating func apply(_ value: Value, to object: ManagedObject, at column: Int) {
    if let id = value.objectID, isGone(id) { return }
    let committed = object.committed?.values[column]
    var new = value
    if let committed, value == known(object, at: column) {
      // Back to the row's value, which another context may have changed.
      if committed != value { refused.insert(object) }
      new = committed
    }
    guard object.values[column] != new else { return }
    object.values[column] = new
    // An edit that is taken back must not survive a merge.
    if committed == new {
      object.touched.remove(AttributeMask(index: column))
    } else {
      object.touched.insert(AttributeMask(index: column))
    }
    changed.insert(object)
    if new != value { restorePartner(of: object, at: column) }
  }

  /// A merge ended the row's relation on the other side, where the edit replaced it.
  private mutating func restorePartner(of object: ManagedObject, at column: Int) {
    guard let partner = object.values[column].objectID.flatMap(context.object(registeredFor:)),
      !partner.isFault, !partner.isDeleted
    else { return }
    let own = Value.object(object.objectID)
    switch object.resolved.toOne[column]?.inverse {
    case .toMany(let index):
      let before = partner.toMany[index]
      partner.toMany[index].settle(object.objectID, isMember: true)
      guard partner.toMany[index] != before else { return }
    case .toOne(let back):
      guard partner.values[back].isNull, partner.committed?.values[back] == own else { return }
      partner.values[back] = own
      partner.touched.remove(AttributeMask(index: back))
    case nil: return
    }
    changed.insert(partner)
    partners.append(partner)
  }

  private func known(_ object: ManagedObject, at column: Int) -> Value? {
    knownRows[object].map { permanent($0.values[column]) }
  }

  /// Replaces a temporary ID that became permanent since.
  private func permanent(_ value: Value) -> Value {
    guard let id = value.objectID, let new = context.permanentIDs[id] else { return value }
    return .object(new)
  }

  private func isGone(_ id: ManagedObjectID) -> Bool {
    if let object = context.object(registeredFor: id) {
      return UndoGroup.Life(of: object) != .present
    }
    // A new object has left this context, unless the parent has it.
    return id.isTemporary && (try? context.snapshotFromParent(of: id)) == nil
  }

  private func leaves(_ id: ManagedObjectID) -> Bool {
    guard let life = context.object(registeredFor: id).flatMap(group.life) else { return false }
    return life.after != .present
  }

  // MARK: - Members

  private mutating func applyMembers(of edit: UndoGroup.Edit) {
    // An event may record an edit that changed nothing, such as removing what was no member. To
    // take that back would undo what another context has saved since.
    for (member, change) in edit.members where change.before != change.after {
      let (id, index) = (context.permanentIDs[member.id] ?? member.id, member.relationship)
      let isMember = isMember(id, of: edit.object, at: index) ?? change.after
      setMember(id, of: edit.object, at: index, isMember && !isGone(id) && !leaves(id))
    }
  }

  /// Whether the other side of a one-to-many relationship leads to the object. Nil if that is not
  /// known, and for many-to-many relationships.
  private func isMember(_ id: ManagedObjectID, of object: ManagedObject, at index: Int) -> Bool? {
    guard case .toOne(let column)? = object.resolved.toMany[index].inverse,
      let other = context.object(registeredFor: id), !other.isFault
    else { return nil }
    return other.values[column] == .object(object.objectID)
  }

  private mutating func setMember(
    _ id: ManagedObjectID, of object: ManagedObject, at index: Int, _ isMember: Bool
  ) {
    let before = object.toMany[index]
    object.toMany[index].set(id, isMember: isMember)
    if object.toMany[index] != before { changed.insert(object) }
  }

  /// Removes members of a returned object that belong to other objects now.
  private mutating func dropOthersMembers(of object: ManagedObject) {
    for index in object.toMany.indices {
      for id in object.toMany[index].members
      where isGone(id) || isMember(id, of: object, at: index) == false {
        setMember(id, of: object, at: index, false)
      }
    }
  }
}

extension ManagedObjectContext {
  /// Registers an object without a row: a saved deletion removed the row, or there was none.
  func readmit(_ object: ManagedObject) {
    restoreVanished(object)
    object.state.remove(.removed)
    if object.row.isCommitted { object.row.loseRow() }
    object.touched = .all(object.values.count)
    // Saves replaced temporary IDs in registered objects only.
    replaceIDs(permanentIDs.byTemporaryID, in: CollectionOfOne(object))
    for index in object.toMany.indices {
      let members = object.toMany[index].members
      object.toMany[index] = .empty
      for id in members { object.toMany[index].set(id, isMember: true) }
    }
    if object.objectID.isTemporary { hasNewObjects = true }
    if register(object) { coordinator.register([object.objectID]) }
  }
}
