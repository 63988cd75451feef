import Baseline
import ObjectGraph
import SQLiteStore

/// Deletes rows by batch requests, and applies the model's delete rules.
///
/// A batch delete applies no rule but nullify. Where rules cascade or deny, the IDs of related rows
/// are fetched first. Separate requests delete them, dependents first.
struct BatchDeletion: Sendable {
  let model: Model
  /// Whether the rules that Core Data's request skips are applied, too.
  let runsDeleteRules: Bool

  /// Call it on the context's queue.
  ///
  /// - Returns: the number of rows that the request found.
  /// - Throws: `StoreError.deleteDenied`, with nothing deleted; errors of the store.
  func delete(_ request: FetchRequest, through context: ManagedObjectContext) throws -> Int {
    guard runsDeleteRules, hasRulesBeyondNullify(request.entity) else {
      return try context.execute(.delete(request)).count
    }
    let found = try context.fetchIDs(request)
    let closure = try DeletionClosure(found, in: model) { ids, relationship in
      try related(to: ids, by: relationship, in: context)
    }
    for (entity, ids) in closure.ids.byEntity.reversed() {
      try context.execute(.delete(model.entities[entity], objects: ids))
    }
    return found.count
  }

  private func hasRulesBeyondNullify(_ entity: Entity) -> Bool {
    model.resolved(entity).kinds.flatMap { model.resolved[$0].relationships }
      .contains { [.cascade, .deny].contains($0.description.deleteRule) }
  }

  private func related(
    to ids: [ManagedObjectID], by relationship: ResolvedRelationship,
    in context: ManagedObjectContext
  ) throws -> [ManagedObjectID] {
    let target = model.entities[relationship.destination]
    let predicate: FetchPredicate
    switch (relationship.inverse, relationship.description.inverse) {
    case (.toOne?, let name?): predicate = try ToOneKey(name, of: target).isIn(ids)
    case (.toMany?, let name?):
      predicate = try ToManyKey(name, of: target).any(.isSelf(in: ids))
    default:
      predicate = .isSelf(in: try targets(of: ids, by: relationship, in: context))
    }
    return try context.fetchIDs(FetchRequest(target, where: predicate))
  }

  /// For a to-one relationship without an inverse.
  private func targets(
    of ids: [ManagedObjectID], by relationship: ResolvedRelationship,
    in context: ManagedObjectContext
  ) throws -> [ManagedObjectID] {
    guard case .toOne(let column) = relationship.end else { return [] }
    let source = model.entities[relationship.source]
    return try context.fetch(FetchRequest(source, where: .isSelf(in: ids)).realised)
      .compactMap { $0[column].objectID }
  }
}
