import Queues

// Setting either side of a relationship changes both at once:
//
//   employee[department] = new
//      employee   department column ─▶ new        marked updated
//      old        employees          − employee   marked updated, members not read
//      new        employees          + employee   marked updated, members not read
//
// Both objects are realised. Their to-many members are not read.

extension ManagedObjectContext {
  func setToOne(of object: ManagedObject, at column: Int, to target: ManagedObject?) {
    guard !object.state.contains(.vanished) else { return }
    let relationship = object.resolved.relationship(at: .toOne(column: column))
    if let target { checkRelatable(object, target, by: relationship) }
    let old = object[column]
    let new = target.map { Value.object($0.objectID) } ?? .null
    object.write(new, at: column)
    guard old != new, processesChanges, let inverse = relationship.inverse else { return }
    if case .object(let id) = old {
      let partner = self.object(with: id)
      if case .toOne(let back) = inverse { bringUpToDate(partner, at: back, of: object) }
      detach(object, from: partner, at: inverse)
    }
    if let target { attach(object, to: target, at: inverse, of: relationship) }
  }

  /// Adds `target` to a to-many relationship of `object`, or removes it.
  func set(_ target: ManagedObject, isMember: Bool, of object: ManagedObject, at index: Int) {
    guard !object.state.contains(.vanished) else { return }
    let relationship = object.resolved.toMany[index]
    if isMember { checkRelatable(object, target, by: relationship) }
    guard processesChanges else {
      // `awakeFromFetch` is running: its changes are not saved.
      _ = relatedIDs(of: object, at: index)
      return object.toMany[index].settle(target.objectID, isMember: isMember)
    }
    switch relationship.inverse {
    case .toOne(let column):
      if isMember {
        setToOne(of: target, at: column, to: object)
      } else if target[column] == .object(object.objectID) {
        setToOne(of: target, at: column, to: nil)
      }
    case .toMany(let back):
      changeMembers(of: object, at: index, target, isMember: isMember)
      changeMembers(of: target, at: back, object, isMember: isMember)
    case nil: break
    }
  }

  private func attach(
    _ object: ManagedObject, to target: ManagedObject, at inverse: RelationshipEnd,
    of relationship: ResolvedRelationship
  ) {
    switch inverse {
    case .toMany(let index): changeMembers(of: target, at: index, object, isMember: true)
    case .toOne(let column):
      // In a one-to-one relationship, the target's previous partner loses it.
      if case .object(let id) = target[column], id != object.objectID,
        case .toOne(let theirs) = relationship.end
      {
        let partner = self.object(with: id)
        bringUpToDate(partner, at: theirs, of: target)
        detach(target, from: partner, at: relationship.end)
      }
      target.write(.object(object.objectID), at: column)
    }
  }

  /// In a one-to-one relationship, reads the partner again if its own side does not lead back.
  private func bringUpToDate(_ partner: ManagedObject, at column: Int, of object: ManagedObject) {
    guard partner[column] != .object(object.objectID) else { return }
    do { try refreshTarget(partner) } catch { stopUnreadable(partner, error) }
  }

  /// Ends the relation on `target`'s side only.
  func detach(_ object: ManagedObject, from target: ManagedObject, at inverse: RelationshipEnd) {
    switch inverse {
    case .toMany(let index): changeMembers(of: target, at: index, object, isMember: false)
    case .toOne(let column):
      if target[column] == .object(object.objectID) { target.write(.null, at: column) }
    }
  }

  /// The relations of a new row that edits replace.
  func formerPartners(of object: ManagedObject, in row: RowSnapshot) -> [FormerPartner] {
    object.resolved.toOne.enumerated().compactMap { column, relationship in
      let new = row.values[column]
      guard let relationship, object.touched.contains(AttributeMask(index: column)),
        let id = new.objectID, new != object.values[column],
        new != object.committed?.values[column]
      else { return nil }
      return FormerPartner(
        object: object, partner: self.object(with: id), relationship: relationship)
    }
  }

  /// Ends a relation on the partner's side, unless the partner cannot be read. A deleted partner
  /// may still await its delete rules.
  func end(_ relation: FormerPartner) {
    if relation.partner.isFault { try? readFault(relation.partner) }
    guard !relation.partner.isFault, let inverse = relation.relationship.inverse else { return }
    detach(relation.object, from: relation.partner, at: inverse)
  }

  /// Ends a relation that the row has and an edit replaces. The partner may not know the relation:
  /// another context has made it. An undo of the edit restores it (`UndoReplay`).
  func endStored(_ relation: FormerPartner) {
    let (object, partner) = (relation.object, relation.partner)
    if partner.isFault { try? readFault(partner) }
    guard !partner.isFault else { return }
    switch relation.relationship.inverse {
    case .toMany(let index):
      if undoManager != nil { _ = try? readRelatedIDs(of: partner, at: index) }
      partner.toMany[index].settle(object.objectID, isMember: true)
    case .toOne(let column):
      if partner.values[column] != .object(object.objectID) { try? refreshTarget(partner) }
    case nil: return
    }
    withoutUndo { end(relation) }
  }

  /// Ends one-to-one relations of a new row if an edit here has led the other object elsewhere. A
  /// merge brings both rows, and ends them with `formerPartners`.
  func endDisplacedRelations(of object: ManagedObject) {
    guard !changed.isEmpty, object.state.isDisjoint(with: [.fault, .deleted]) else { return }
    object.resolved.toOneColumns.subtracting(object.persistentChanges).forEachIndex { column in
      guard case .toOne(let back)? = object.resolved.toOne[column]?.inverse,
        let target = object.values[column].objectID.flatMap(self.object(registeredFor:)),
        target.isUpdated, target.persistentChanges.contains(AttributeMask(index: back)),
        target.values[back] != .object(object.objectID),
        let relationship = target.resolved.toOne[back]
      else { return }
      endStored(FormerPartner(object: target, partner: object, relationship: relationship))
    }
  }

  private func changeMembers(
    of object: ManagedObject, at index: Int, _ member: ManagedObject, isMember: Bool
  ) {
    guard !object.state.contains(.vanished) else { return }
    object.fireFault()
    setMember(member.objectID, of: object, at: index, isMember)
    noteUpdated(object)
  }

  func setMember(_ id: ManagedObjectID, of object: ManagedObject, at index: Int, _ isMember: Bool) {
    var id = id
    if let undoManager {
      // An undo must know whether the object was a member. The visit to the parent may bring the
      // member's permanent ID.
      _ = relatedIDs(of: object, at: index)
      id = permanentIDs[id] ?? id
      undoManager.record(object, at: index, id, isMember: isMember)
    } else if object.toMany[index].mayTakeBack(id, isMember: isMember) {
      // Only the level below knows whether the relation changes at all. If it cannot be read, the
      // last change counts.
      _ = try? readRelatedIDs(of: object, at: index)
      id = permanentIDs[id] ?? id
    }
    object.toMany[index].set(id, isMember: isMember)
  }

  private func checkRelatable(
    _ object: ManagedObject, _ target: ManagedObject, by relationship: ResolvedRelationship
  ) {
    require(
      target.link === link,
      "'\(object.entity.name).\(relationship.description.name)' cannot relate an object of context"
        + " '\(name)' to one of context '\(target.context?.name ?? "(gone)")';"
        + " take the object of its ID in '\(name)'")
    require(
      target.context != nil,
      "'\(object.entity.name).\(relationship.description.name)' cannot relate an object that has left"
        + " context '\(name)', for instance by a saved deletion; fetch it again")
    require(
      target.entity.isKind(of: model.entities[relationship.destination]),
      "'\(object.entity.name).\(relationship.description.name)' leads to"
        + " '\(relationship.description.destination)', not to '\(target.entity.name)'")
  }
}

/// The other side of a relation that a new one replaces.
struct FormerPartner {
  let object: ManagedObject
  let partner: ManagedObject
  let relationship: ResolvedRelationship
}

// MARK: - To-many faults

extension ManagedObjectContext {
  /// For callers that cannot throw. A read error stops the program.
  func relatedIDs(of object: ManagedObject, at index: Int) -> Set<ManagedObjectID> {
    do { return try readRelatedIDs(of: object, at: index) } catch { stopUnreadable(object, error) }
  }

  /// Fires the relationship's fault.
  ///
  /// - Throws: the store's read errors. The relationship stays a fault.
  func readRelatedIDs(of object: ManagedObject, at index: Int) throws -> Set<ManagedObjectID> {
    assertOnQueue()
    if object.isFault { try readFault(object) }
    if object.toMany[index].isFault {
      try Activity.slice(.fault) {
        Activity.count(.faultsFired)
        fillMembers(
          of: object, at: index, try relatedIDsFromParent(of: object.objectID, at: index))
      }
    }
    return object.toMany[index].members
  }

  func fillMembers(of object: ManagedObject, at index: Int, _ ids: [ManagedObjectID]) {
    let here = changed.isEmpty ? ids : ids.filter { !leadsElsewhere($0, from: object, at: index) }
    object.toMany[index].fill(here)
  }

  /// Whether an edit has moved the member to another object, before another context related it to
  /// this one.
  private func leadsElsewhere(
    _ id: ManagedObjectID, from object: ManagedObject, at index: Int
  ) -> Bool {
    guard case .toOne(let column)? = object.resolved.toMany[index].inverse,
      let member = self.object(registeredFor: id), member.isUpdated,
      member.persistentChanges.contains(AttributeMask(index: column)),
      !object.toMany[index].removed.contains(id)
    else { return false }
    let own = Value.object(object.objectID)
    return member.values[column] != own && member.committed?.values[column] != own
  }

  private func relatedIDsFromParent(
    of id: ManagedObjectID, at index: Int
  ) throws -> [ManagedObjectID] {
    switch parent {
    case .coordinator(let coordinator):
      return id.isTemporary ? [] : try reader(coordinator).related(to: id, at: index)
    case .context(let parent):
      return try onQueue(of: parent) {
        try Activity.slice(.fault) { try parent.relatedIDs(forChild: id, at: index) }
      }
    }
  }

  /// The members of this level's object, with its changes. Without a realised object, those below.
  private func relatedIDs(forChild id: ManagedObjectID, at index: Int) throws -> [ManagedObjectID] {
    guard let object = currentObject(registeredFor: id), !object.isFault else {
      return try relatedIDsFromParent(of: permanentIDs[id] ?? id, at: index)
    }
    return Array(try readRelatedIDs(of: object, at: index))
  }
}
