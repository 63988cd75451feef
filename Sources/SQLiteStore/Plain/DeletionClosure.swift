package import ObjectGraph

// Which rows go when some are deleted without objects, as `ManagedObjectContext` finds out by its
// objects:
//
//   asked for ──cascade──▶ ──cascade──▶ … until nothing new is found
//        └─ deny ──▶ somebody who stays: nothing may be deleted

/// Rows that are to be deleted, and those that their delete rules take along.
package struct DeletionClosure {
  /// Reads the rows that a relationship of rows of one entity leads to, in any order.
  package typealias Related = (
    _ ids: [ManagedObjectID], _ relationship: ResolvedRelationship
  ) throws -> [ManagedObjectID]

  /// Each once: those that were asked for, then what each round found.
  package private(set) var ids: [ManagedObjectID]
  private var known: Set<ManagedObjectID>
  private let model: Model

  /// - Throws: `StoreError.deleteDenied` where a relationship of rule *deny* leads to a row that
  ///   stays; what `related` throws.
  package init(_ ids: [ManagedObjectID], in model: Model, related: Related) throws {
    self.model = model
    self.ids = ids
    known = Set(ids)
    var round = ids
    while !round.isEmpty {
      let found = try follow(.cascade, of: round, related).flatMap(\.targets)
      round = found.filter { known.insert($0).inserted }
      self.ids += round
    }
    try checkDenials(related)
  }

  private func checkDenials(_ related: Related) throws {
    for (relationship, targets) in try follow(.deny, of: ids, related)
    where targets.contains(where: { !known.contains($0) }) {
      throw StoreError.deleteDenied(
        entity: model.entities[relationship.source].name,
        relationship: relationship.description.name)
    }
  }

  /// What the relationships of one rule lead to.
  private func follow(
    _ rule: DeleteRule, of ids: [ManagedObjectID], _ related: Related
  ) throws -> [(relationship: ResolvedRelationship, targets: [ManagedObjectID])] {
    var found: [(relationship: ResolvedRelationship, targets: [ManagedObjectID])] = []
    for (entity, ids) in ids.byEntity {
      for relationship in model.resolved[entity].relationships
      where relationship.description.deleteRule == rule {
        found.append((relationship, try related(ids, relationship)))
      }
    }
    return found
  }
}

extension [ManagedObjectID] {
  /// By the places of the entities in the model, in the order in which they come first.
  package var byEntity: [(entity: Int, ids: [ManagedObjectID])] {
    let groups = Dictionary(grouping: self, by: \.entityIndex)
    var seen: Set<Int32> = []
    return map(\.entityIndex).filter { seen.insert($0).inserted }
      .map { (Int($0), groups[$0] ?? []) }
  }
}

extension Model {
  /// Whether somebody else's row may change or go when a row of the entity is deleted.
  package func deletionReachesOthers(_ entity: Entity) -> Bool {
    resolved[index(of: entity)].relationships.contains { relationship in
      switch relationship.description.deleteRule {
      case .cascade, .deny: true
      case .nullify: relationship.isManyToMany || relationship.isHeldByOthers
      case .noAction: relationship.isManyToMany
      }
    }
  }
}

extension ResolvedRelationship {
  /// Whether the related rows hold it, in a column of theirs.
  var isHeldByOthers: Bool {
    if case .toOne? = inverse { true } else { false }
  }
}
