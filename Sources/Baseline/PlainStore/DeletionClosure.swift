package import ObjectGraph
import SQLiteStore

// The rows that a deletion without a context deletes, by the same rules as `ManagedObjectContext`:
//
//   requested ──cascade──▶ ──cascade──▶ … until a round finds no new row
//        │                     └─ rows whose deletion reaches no other row: named by their owners
//        └─ deny ──▶ a row that stays: nothing may be deleted

package struct DeletionClosure {
  /// The targets of one relationship of rows of one entity, in any order.
  package typealias Related = (
    _ ids: [ManagedObjectID], _ relationship: ResolvedRelationship
  ) throws -> [ManagedObjectID]

  /// The requested rows, then the rows that each round found, each once.
  package private(set) var ids: [ManagedObjectID]
  /// Owners whose rows one statement deletes by the owner's key. `ids` leaves those rows out.
  package private(set) var owners: [(relationship: ResolvedRelationship, ids: [ManagedObjectID])] =
    []
  private var known: Set<ManagedObjectID>
  private let model: Model

  /// - Parameter namesOwners: whether `owners` names rows instead of `ids` where it can.
  /// - Throws: `StoreError.deleteDenied` if a relationship of rule *deny* leads to another row.
  package init(
    _ ids: [ManagedObjectID], in model: Model, namesOwners: Bool = false, related: Related
  ) throws {
    self.model = model
    self.ids = ids
    known = Set(ids)
    var round = ids
    while !round.isEmpty {
      if namesOwners { owners += owned(by: round) }
      let found = try follow(.cascade, of: round, unlessOwned: namesOwners, related)
      round = found.flatMap(\.targets).filter { known.insert($0).inserted }
      self.ids += round
    }
    try checkDenials(related)
  }

  private func owned(
    by ids: [ManagedObjectID]
  ) -> [(relationship: ResolvedRelationship, ids: [ManagedObjectID])] {
    ids.byEntity.flatMap { entity, ids in
      model.resolved[entity].relationships
        .filter { $0.description.deleteRule == .cascade && model.isDeletedByOwner($0) }
        .map { ($0, ids) }
    }
  }

  private func checkDenials(_ related: Related) throws {
    for (relationship, targets) in try follow(.deny, of: ids, related)
    where targets.contains(where: { !known.contains($0) }) {
      throw StoreError.deleteDenied(
        entity: model.entities[relationship.source].name,
        relationship: relationship.description.name)
    }
  }

  private func follow(
    _ rule: DeleteRule, of ids: [ManagedObjectID], unlessOwned: Bool = false, _ related: Related
  ) throws -> [(relationship: ResolvedRelationship, targets: [ManagedObjectID])] {
    var found: [(relationship: ResolvedRelationship, targets: [ManagedObjectID])] = []
    for (entity, ids) in ids.byEntity {
      for relationship in model.resolved[entity].relationships
      where relationship.description.deleteRule == rule
        && !(unlessOwned && model.isDeletedByOwner(relationship))
      {
        found.append((relationship, try related(ids, relationship)))
      }
    }
    return found
  }
}

extension Model {
  /// Whether deleting a row may change or delete other rows.
  package func deletionReachesOthers(_ entity: Entity) -> Bool {
    resolved[index(of: entity)].relationships.contains { relationship in
      switch relationship.description.deleteRule {
      case .cascade, .deny: true
      case .nullify: relationship.isManyToMany || relationship.isHeldByOthers
      case .noAction: relationship.isManyToMany
      }
    }
  }

  /// Whether one statement may delete the rows at the other end by the key of their owner. A rule
  /// *deny* that leads to them must know each row.
  fileprivate func isDeletedByOwner(_ relationship: ResolvedRelationship) -> Bool {
    guard relationship.isHeldByOthers else { return false }
    let kinds = resolved[relationship.destination].kinds
    let isDenied = resolved.lazy.flatMap(\.relationships).contains {
      $0.description.deleteRule == .deny
        && resolved[$0.destination].kinds.contains(where: kinds.contains)
    }
    return !isDenied && kinds.allSatisfy { !deletionReachesOthers(entities[$0]) }
  }
}

extension ResolvedRelationship {
  var isHeldByOthers: Bool {
    if case .toOne? = inverse { true } else { false }
  }
}
