package import Foundation
import ObjectGraph
import SQLiteStore
import Support
package import Workload

extension PreparedCell {
  /// Creates a store with the rows before the changes. They are needed once, so they are not kept.
  ///
  /// - Parameter version: of the model that the store is written with.
  package func createTemplate(at url: URL, version: StoreVersion) throws {
    let older = version == .previous ? model.older : nil
    let tables = older?.tables ?? model.tables
    let rows = zip(workload.tables.indices, tables).compactMap { index, table in
      table.map { table in
        let rows = workload.tables[index].before.rows
        return (table, older?.version.tables[index].map { rows.map($0.row) } ?? rows)
      }
    }
    let initial = InitialRows(
      rows.map(\.1), in: rows.map(\.0), of: older?.model ?? model.model)
    try StoreFile.createTemplate(
      at: url, model: older?.model ?? model.model,
      rows: rows.enumerated().map { index, rows in
        (rows.0.entity, rows.1.map { initial.values($0, of: index) })
      }, pairs: makeInitialPairs(tables), age: scenario.store.age)
  }

  /// By the primary keys of the rows before the changes.
  private func makeInitialPairs(
    _ tables: [StoreTable?]
  ) -> [(entity: Entity, toMany: Int, keys: [(Int64, Int64)])] {
    guard !scenario.pairs.isEmpty else { return [] }
    let initial = InitialRows(
      workload.tables.map(\.before.rows), in: model.tables, of: model.model, keepsAllKeys: true)
    return zip(scenario.pairs, workload.pairs).compactMap { relationship, pairs in
      // An added entity has no pairs.
      guard !pairs.isEmpty, let entity = tables[relationship.table]?.entity else { return nil }
      guard let index = entity.toManyIndex(of: relationship.relationship) else {
        preconditionFailure("a scenario's pairs are those of a relationship of the model")
      }
      return (
        entity, index,
        pairs.map {
          initial.keys($0, ofTables: (relationship.table, relationship.destination))
        }
      )
    }
  }
}

/// The model and the tables of a store of the older version.
struct OlderStore: Sendable {
  let model: Model
  let version: OlderVersion
  /// By the table's index; nil for an added entity.
  let tables: [StoreTable?]

  init(
    _ version: OlderVersion, of scenario: Scenario, before current: Model
  ) throws(InputError) {
    let (model, entities) = try StoreModel.model(of: version.model)
    (self.model, self.version) = (model, version)
    let names = version.tables.compactMap(\.?.rows.name)
    tables = version.tables.map { table in
      table.flatMap { table in
        entities[table.rows.name].map { StoreTable(table.rows, $0, destinations: names) }
      }
    }
    func wrong(_ message: String) -> InputError {
      scenario.error("store.changes_since", message: message)
    }
    let problems: [String]
    do {
      problems = try StoreFile.problems(migrating: model, to: current)
    } catch {
      throw wrong("the older version is no model: \(error)")
    }
    if let first = problems.first { throw wrong("no migration can follow: \(first)") }
  }
}
