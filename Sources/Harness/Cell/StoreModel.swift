import ObjectGraph
import SQLiteStore
package import Support
import Topologies
package import Workload

// A row of the store has the columns of the data files and may have more:
//
//   data files   geoname_id · name · population · country
//   City         name · founded · geoname_id · population · country→     (Place's columns first)
//
// Columns that the data files lack start with their default and are not verified.

/// With the positions of the data files' columns in the store's rows.
package struct StoreModel: Sendable {
  let model: Model
  /// The entities with rows; the list's entity comes first.
  let tables: [StoreTable]
  private let deleteWhere: FetchPredicate?

  package init(_ scenario: Scenario) throws(InputError) {
    let source = scenario.model
    let entities: [String: Entity]
    do {
      var made: [String: Entity] = [:]
      for entity in source.entities {
        made[entity.name] = try Entity(entity, parent: entity.parent.flatMap { made[$0] })
      }
      entities = made
      model = try Model(source.entities.compactMap { made[$0.name] })
      _ = try Schema(model)
    } catch let error as ModelError {
      throw source.error(at: source.path(of: error), "\(error)")
    } catch {
      throw source.error(at: source.path, "\(error)")
    }
    let names = scenario.entities.map(\.name)
    tables = scenario.entities.map { rows in
      guard let entity = entities[rows.name] else {
        preconditionFailure("the model of a scenario holds the entities of its rows")
      }
      return StoreTable(rows, entity, destinations: names)
    }
    deleteWhere = try Self.deletionPredicate(scenario, tables[0].entity, model)
  }

  private static func deletionPredicate(
    _ scenario: Scenario, _ entity: Entity, _ model: Model
  ) throws(InputError) -> FetchPredicate? {
    guard let format = scenario.changes.deleteWhere else { return nil }
    do {
      return try FetchPredicate(format: format, entity, in: model)
    } catch {
      throw InputError(
        .file(scenario.file, line: nil), field: "changes.delete_where", "\(error)".oneLine)
    }
  }

  var list: StoreTable { tables[0] }
  var entity: Entity { list.entity }

  func change(_ change: RowChange, of table: Int = 0) -> Change {
    let rows = tables[table]
    switch change {
    case .insert(let row): return .insert(rows.values(row))
    case .update(let key, let fields):
      return .update(
        key: key,
        fields: fields.map {
          FieldChange(index: rows.columns[$0.index], value: $0.value)
        })
    case .delete(let key): return .delete(key: key)
    case .upsert(let row): return .upsert(rows.values(row))
    case .records(let records): return .records(records.json)
    case .deleteWhere: return .deleteWhere(deleteWhere ?? .false)
    case .of(let other, let change): return .of(other, self.change(change, of: other))
    }
  }
}

extension ScenarioModel {
  fileprivate func path(of error: ModelError) -> String {
    switch error {
    case .columnCount(let entity, _), .repeatedName(_, let entity):
      path(ofEntity: entity)
    case .unknownConstraint(let entity, _): "\(path(ofEntity: entity)).unique"
    case .badPattern(_, let attribute, let entity):
      "\(path(ofEntity: entity)).attributes.\(attribute).pattern"
    case .missingParent(let entity, _): "\(path(ofEntity: entity)).parent"
    case .unknownDestination(let entity, let relationship, _),
      .noInverse(let entity, let relationship), .wrongInverse(let entity, let relationship, _):
      "\(path(ofEntity: entity)).relationships.\(relationship)"
    }
  }
}

extension Entity {
  fileprivate convenience init(_ description: EntityDescription, parent: Entity?) throws {
    try self.init(
      name: description.name, parent: parent, isAbstract: description.isAbstract,
      attributes: description.attributes, relationships: description.relationships,
      uniquenessConstraints: description.uniquenessConstraints)
  }
}
