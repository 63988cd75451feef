import Baseline
import Foundation
package import ObjectGraph
import SQLiteStore
package import Support
package import Workload

// A row of the store has the columns of the data files and may have more:
//
//   data files   geoname_id · name · population · country
//   City         name · founded · geoname_id · population · country→     (Place's columns first)
//
// Columns that the data files lack start with their default and are not verified.

/// The model of the store, with the indexes of the data files' columns in its rows.
package struct StoreModel: Sendable {
  package let model: Model
  /// The entities with rows; the list's entity comes first.
  package let tables: [StoreTable]
  /// Of the older version; nil without changes since.
  let older: OlderStore?
  /// The rows that lists of the first entity show; nil for all.
  let listPredicate: FetchPredicate?
  let prefetching: [PredicatePath]
  let related: [RelatedValue]
  /// The rows that the screen counts; nil for all.
  let countPredicate: FetchPredicate?
  /// The predicate of a search, by the typed text.
  let searchPredicate: @Sendable (String) -> FetchPredicate
  /// The attribute whose words the user types, as an index in the data files.
  let typedAttribute: Int

  package init(_ scenario: Scenario) throws(InputError) {
    let (model, entities) = try Self.model(of: scenario.model)
    let names = scenario.entities.map(\.name)
    var tables = scenario.entities.map { rows in
      guard let entity = entities[rows.name] else {
        preconditionFailure("the model of a scenario holds the entities of its rows")
      }
      return StoreTable(rows, entity, destinations: names)
    }
    let query = ModelQuery(entity: tables[0].entity, model: model, scenario: scenario)
    tables[0].deletion =
      try query.predicate(scenario.changes.deleteWhere, of: "changes.delete_where") ?? .false
    listPredicate = try query.rowPredicate(scenario.list.predicate, of: "list.where")
    prefetching = try query.paths(scenario.list.prefetching, of: "list.prefetch")
    related = try query.values(scenario.list.reads, of: "list.reads")
    countPredicate = try query.predicate(scenario.user.countPredicate, of: "user.count_where")
    searchPredicate = try query.search(scenario.user.searchPredicate, of: "user.search_where")
    typedAttribute = tables[0].typedAttribute(of: searchPredicate(""))
    (self.model, self.tables) = (model, tables)
    older = try scenario.older.map { (version) throws(InputError) in
      try OlderStore(version, of: scenario, before: model)
    }
  }

  static func model(
    of source: ScenarioModel
  ) throws(InputError) -> (model: Model, entities: [String: Entity]) {
    do {
      var made: [String: Entity] = [:]
      for entity in source.entities {
        made[entity.name] = try Entity(entity, parent: entity.parent.flatMap { made[$0] })
      }
      let model = try Model(source.entities.compactMap { made[$0.name] })
      _ = try Schema(model)
      return (model, made)
    } catch let error as ModelError {
      throw source.error(at: source.path(of: error), "\(error)")
    } catch {
      throw source.error(at: source.path, "\(error)")
    }
  }

  var list: StoreTable { tables[0] }
  var entity: Entity { list.entity }

  func batch(_ batch: ChangeBatch) -> ChangeBatch {
    ChangeBatch(records: batch.records, changes: batch.changes.map(change))
  }

  func change(_ change: Change) -> Change {
    let rows = tables[change.entity]
    switch change.kind {
    case .insert(let row): return .insert(rows.values(row), of: change.entity)
    case .update(let key, let fields):
      let fields = fields.map { FieldChange(index: rows.columns[$0.index], value: $0.value) }
      return .update(key: key, fields: fields, of: change.entity)
    case .upsert(let row): return .upsert(rows.values(row), of: change.entity)
    case .delete, .deleteWhere: return change
    }
  }
}

extension ScenarioModel {
  fileprivate func path(of error: ModelError) -> String {
    switch error {
    case .columnCount(let entity, _), .repeatedName(_, let entity): path(ofEntity: entity)
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

package struct StoreTable: Sendable {
  let rows: RowDescription
  let entity: Entity
  /// The index in a row of the store, by column of the data files.
  let columns: [Int]
  /// The index in `StoreModel.tables`, by reference.
  let destinations: [Int]
  /// The index in a `PlainReader.Row`, by column of the data files: of an attribute in `values`, of
  /// a reference in `targets`.
  private let places: [Int]
  private let defaults: ContiguousArray<Value>
  fileprivate(set) var deletion = FetchPredicate.false

  init(_ rows: RowDescription, _ entity: Entity, destinations: [String]) {
    self.rows = rows
    self.entity = entity
    columns = rows.columns.map(\.name).compactMap(entity.index(of:))
    self.destinations = rows.references.compactMap { destinations.firstIndex(of: $0.destination) }
    let attributes = entity.attributes.map(\.name)
    let relationships = entity.columns.compactMap(\.relationship?.name)
    places =
      rows.attributes.map(\.name).compactMap(attributes.firstIndex(of:))
      + rows.references.map(\.column.name).compactMap(relationships.firstIndex(of:))
    defaults = ContiguousArray(entity.columns.map { $0.attribute?.defaultValue ?? .null })
  }

  package var keyIndex: Int { columns[rows.keyIndex] }

  package var rowEntity: RowEntity {
    let places = columns.dropFirst(rows.attributes.count)
    return RowEntity(
      entity, keyIndex: keyIndex,
      references: zip(places, destinations).map { RowReference(column: $0, destination: $1) },
      deletion: deletion)
  }

  /// Converts to a row of the store. References keep business keys.
  func values(_ row: Row) -> ContiguousArray<Value> {
    var values = defaults
    for (column, value) in zip(columns, row) { values[column] = value }
    return values
  }

  /// Converts to a row of the data files, without references.
  func attributes(_ values: ContiguousArray<Value>) -> Row {
    Row(columns.prefix(rows.attributes.count).map { values[$0] })
  }

  /// Converts from plain SQL to a row of the data files.
  ///
  /// - Parameter keys: for each reference, the destination's business keys by primary key.
  func row(_ row: PlainReader.Row, keys: [[Int64: Value]]) -> Row {
    let count = rows.attributes.count
    let attributes = Row(places.prefix(count).map { row.values[$0] })
    guard !rows.references.isEmpty else { return attributes }
    let references = zip(places.dropFirst(count), keys).map { place, keys in
      // A dangling reference gets a value that equals no key, so that verification fails.
      row.targets[place].map { keys[$0] ?? .data(.init()) } ?? .null
    }
    return attributes + references
  }
}

/// Makes rows with primary keys instead of business keys.
struct InitialRows {
  private let tables: [StoreTable]
  private let model: Model
  private var primaryKeys: [[Value: Int64]] = []

  init(_ rows: [[Row]], in tables: [StoreTable], of model: Model, keepsAllKeys: Bool = false) {
    self.tables = tables
    self.model = model
    var last: [ObjectIdentifier: Int64] = [:]
    for (table, rows) in zip(tables, rows) {
      let root = ObjectIdentifier(table.entity.root)
      let first = last[root, default: 0] + 1
      last[root] = first + Int64(rows.count) - 1
      primaryKeys.append(
        keepsAllKeys || table.isReferredTo(by: tables)
          ? Dictionary(uniqueKeysWithValues: zip(rows.map { $0[table.rows.keyIndex] }, first...))
          : [:])
    }
  }

  func keys(_ pair: KeyPair, ofTables tables: (mine: Int, theirs: Int)) -> (Int64, Int64) {
    guard let mine = primaryKeys[tables.mine][pair.mine],
      let theirs = primaryKeys[tables.theirs][pair.theirs]
    else { preconditionFailure("both rows of a pair are in the store from the beginning") }
    return (mine, theirs)
  }

  func values(_ row: Row, of index: Int) -> ContiguousArray<Value> {
    let table = tables[index]
    var values = table.values(row)
    for reference in table.rowEntity.references where !values[reference.column].isNull {
      let destination = tables[reference.destination].entity
      values[reference.column] =
        primaryKeys[reference.destination][values[reference.column]].map {
          .object(
            ManagedObjectID(
              store: 0, entityIndex: Int32(model.index(of: destination)), primaryKey: $0))
        } ?? .null
    }
    return values
  }
}

extension StoreTable {
  func key(of row: PlainReader.Row) -> Value { row.values[places[rows.keyIndex]] }

  func isReferredTo(by tables: [StoreTable]) -> Bool {
    tables.contains { $0.rows.references.contains { $0.destination == rows.name } }
  }
}

extension Entity {
  /// The topmost entity, which numbers the rows of all its subentities.
  fileprivate var root: Entity { parent?.root ?? self }
}
