package import ObjectGraph
import SQLiteStore

// The rows that a deletion without a context deletes, by the same rules as `ManagedObjectContext`:
//
//   requested ──cascade──▶ ──cascade──▶ … until a round finds no new row
//        └─ deny ──▶ a row that stays: nothing may be deleted

package struct DeletionClosure {
  /// The targets of one relationship of rows of one entity, in any order.
  package typealias Related = (
    _ ids: [ManagedObjectID], _ relationship: ResolvedRelationship
  ) throws -> [ManagedObjectID]

  /// The requested rows, then the rows that each round found, each once.
  package private(set) var ids: [ManagedObjectID]
  private var known: Set<ManagedObjectID>
  private let model: Model

  /// - Throws: `StoreError.deleteDenied` if a relationship of rule *deny* leads to another row.
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
}

extension ResolvedRelationship {
  var isHeldByOthers: Bool {
    if case .toOne? = inverse { true } else { false }
  }
}
