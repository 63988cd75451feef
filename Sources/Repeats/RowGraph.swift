import ObjectGraph
import Workload

/// The rows of all entities and their references, without the core.
///
/// A reference holds the business key of its row:
///
///     Order    id · total · customer → "C7"           customer.name        the customer "C7"
///     Customer code "C7" · name                       orders.@count        orders that refer to it
struct RowGraph {
  fileprivate let tables: [StoreTable]
  /// The rows by business key, by table.
  private let rowsByKey: [[Value: Row]]
  /// By table and column of the reference, then by the key it holds.
  private let referring: [[[Value: [Row]]]]
  /// The keys of the rows at the end of a many-to-many relationship.
  private let paired: [PairedEnd: [Value: [Value]]]

  private struct PairedEnd: Hashable {
    var table: Int
    var relationship: String
  }

  /// - Parameter pairs: those of `Workload.pairs` whose rows are among `rows`.
  init(_ model: StoreModel, _ rows: [[Row]], _ pairs: [(RowPairs, [KeyPair])]) {
    paired = pairs.reduce(into: [:]) { all, pairs in
      let (ends, keys) = pairs
      all[PairedEnd(table: ends.table, relationship: ends.relationship)] =
        Dictionary(grouping: keys, by: \.mine).mapValues { $0.map(\.theirs) }
      all[PairedEnd(table: ends.destination, relationship: ends.inverse)] =
        Dictionary(grouping: keys, by: \.theirs).mapValues { $0.map(\.mine) }
    }
    tables = model.tables
    rowsByKey = zip(tables, rows).map { table, rows in
      Dictionary(
        rows.map { ($0[table.rows.keyIndex], $0) }, uniquingKeysWith: { first, _ in first })
    }
    referring = zip(tables, rows).map { table, rows in
      table.rows.references.indices.map { reference in
        Dictionary(grouping: rows) { $0[table.rows.attributes.count + reference] }
      }
    }
  }

  /// A row of the first entity.
  func place(of row: Row) -> RowPlace { RowPlace(graph: self, table: 0, row: row) }

  fileprivate func target(of place: RowPlace, at column: Int) -> RowPlace? {
    let table = tables[place.table]
    let count = table.rows.attributes.count
    guard let index = table.columns.firstIndex(of: column), index >= count else { return nil }
    let destination = table.destinations[index - count]
    return rowsByKey[destination][place.row[index]].map {
      RowPlace(graph: self, table: destination, row: $0)
    }
  }

  fileprivate func members(of place: RowPlace, at toMany: Int) -> [RowPlace] {
    let table = tables[place.table]
    let relationship = table.entity.toManyRelationships[toMany]
    let (inverse, key) = (relationship.inverse, place.row[table.rows.keyIndex])
    if let keys = paired[PairedEnd(table: place.table, relationship: relationship.name)] {
      guard let other = tables.firstIndex(where: { $0.rows.name == relationship.destination })
      else { return [] }
      return keys[key, default: []].compactMap { rowsByKey[other][$0] }.map {
        RowPlace(graph: self, table: other, row: $0)
      }
    }
    return tables.indices.flatMap { other in
      let references = tables[other].rows.references
      return references.indices.flatMap { index -> [RowPlace] in
        guard references[index].column.name == inverse,
          tables[other].destinations[index] == place.table,
          tables[other].entity.isKind(of: relationship.destination)
        else { return [] }
        return referring[other][index][key, default: []].map {
          RowPlace(graph: self, table: other, row: $0)
        }
      }
    }
  }
}

/// A row in the graph. A predicate tests it, and a cell's paths begin at it.
struct RowPlace: PredicateSubject {
  fileprivate let graph: RowGraph
  fileprivate let table: Int
  fileprivate let row: Row

  /// The business key.
  var identity: Value { row[graph.tables[table].rows.keyIndex] }

  func value(at column: Int) -> Value {
    let table = graph.tables[table]
    return table.columns.firstIndex(of: column).map { row[$0] }
      ?? table.entity.columns[column].attribute?.defaultValue ?? .null
  }

  func target(at column: Int) -> RowPlace? { graph.target(of: self, at: column) }

  func targets(at toMany: Int) -> [RowPlace] { graph.members(of: self, at: toMany) }

  /// A row that is reached in two ways is listed twice.
  func objects(at steps: [RelationshipEnd]) -> [RowPlace] {
    steps.reduce([self]) { places, step in
      places.flatMap { place in
        switch step {
        case .toOne(let column): [place.target(at: column)].compactMap { $0 }
        case .toMany(let index): place.targets(at: index)
        }
      }
    }
  }
}

extension Entity {
  fileprivate func isKind(of name: String) -> Bool {
    self.name == name || (parent?.isKind(of: name) ?? false)
  }
}

extension RowGraph {
  /// - Parameter rows: the list's entity comes first.
  init(_ cell: PreparedCell, _ rows: [[Row]]) {
    self.init(cell.model, rows, cell.pairs(among: rows))
  }
}

extension PreparedCell {
  /// The pairs of which both rows are there.
  func pairs(among rows: [[Row]]) -> [(RowPairs, [KeyPair])] {
    guard !scenario.pairs.isEmpty else { return [] }
    let keys = zip(model.tables, rows).map { table, rows in
      Set(rows.map { $0[table.rows.keyIndex] })
    }
    return zip(scenario.pairs, workload.pairs).map { ends, pairs in
      (
        ends,
        pairs.filter {
          keys[ends.table].contains($0.mine) && keys[ends.destination].contains($0.theirs)
        }
      )
    }
  }
}
