import Foundation
package import ObjectGraph
import Queues

extension PersistentStoreCoordinator {
  /// Relationships that lead to missing rows, as `Employee 3.boss → Employee 7`.
  package func danglingReferences() throws -> [String] {
    var found: [String] = []
    for entity in model.entities where !entity.isAbstract {
      var request = FetchRequest(entity)
      request.includesSubentities = false
      for row in try fetch(request) {
        for (name, target) in try references(from: row, entity)
        where try snapshots(of: [target]) == [nil] {
          found.append("\(uri(row.id)).\(name) → \(uri(target))")
        }
        unregister([row.id])
      }
    }
    return found.sorted()
  }

  private func references(
    from row: FetchedRow, _ entity: Entity
  ) throws -> [(String, ManagedObjectID)] {
    let toOne = zip(entity.columns, row.snapshot.values).compactMap { column, value in
      value.objectID.map { (column.name, $0) }
    }
    let toMany = try entity.toManyRelationships.enumerated().flatMap { index, relationship in
      try related(to: row.id, at: index).map { (relationship.name, $0) }
    }
    return toOne + toMany
  }

  private func uri(_ id: ManagedObjectID) -> String {
    uriRepresentation(of: id)?.pathComponents.dropFirst().joined(separator: " ") ?? "new"
  }
}
