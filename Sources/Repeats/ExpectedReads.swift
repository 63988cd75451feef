import ObjectGraph
import Workload

/// What cells must read besides their rows, found in the rows of all entities without the core.
///
/// A reference holds the business key of its row:
///
///     Order    id · total · customer → "C7"           customer.name        the customer "C7"
///     Customer code "C7" · name                       orders.@count        orders that refer to it
struct ExpectedReads {
  private typealias Place = (table: Int, row: Row)

  private let tables: [StoreTable]
  private let related: [RelatedValue]
  /// The rows by business key, by table.
  private let rowsByKey: [[Value: Row]]
  /// By table and column of the reference, then by the key it holds.
  private let referring: [[[Value: [Row]]]]

  /// Nil if cells read nothing else.
  init?(_ model: StoreModel, _ rows: [[Row]]) {
    guard !model.related.isEmpty else { return nil }
    tables = model.tables
    related = model.related
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

  /// The related values in the cell of a row of the first entity.
  func values(of row: Row) -> Row {
    Row(related.map { value($0, of: (0, row)) })
  }

  private func value(_ related: RelatedValue, of place: Place) -> Value {
    switch related.source {
    case .column(let path):
      objects(at: path.steps, from: place).first.map { value(path.column ?? 0, of: $0) } ?? .null
    case .count(let path): .int64(Int64(objects(at: path.steps, from: place).count))
    case .last(let path, let terms, let column):
      objects(at: path.steps, from: place)
        .max { isOrdered($0, before: $1, by: terms) }.map { value(column, of: $0) } ?? .null
    }
  }

  private func value(_ column: Int, of place: Place) -> Value {
    let table = tables[place.table]
    return table.columns.firstIndex(of: column).map { place.row[$0] }
      ?? table.entity.columns[column].attribute?.defaultValue ?? .null
  }

  private func isOrdered(
    _ a: Place, before b: Place, by terms: [ObjectGraph.SortTerm]
  ) -> Bool {
    for term in terms {
      let order = value(term.attribute, of: a).order(relativeTo: value(term.attribute, of: b))
      if order != 0 { return (order < 0) == term.isAscending }
    }
    return false
  }

  private func objects(at steps: [RelationshipEnd], from place: Place) -> [Place] {
    steps.reduce([place]) { places, step in
      places.flatMap { place in
        switch step {
        case .toOne(let column): target(of: place, at: column)
        case .toMany(let index): members(of: place, at: index)
        }
      }
    }
  }

  private func target(of place: Place, at column: Int) -> [Place] {
    let table = tables[place.table]
    let count = table.rows.attributes.count
    guard let index = table.columns.firstIndex(of: column), index >= count else { return [] }
    let destination = table.destinations[index - count]
    return rowsByKey[destination][place.row[index]].map { [(destination, $0)] } ?? []
  }

  private func members(of place: Place, at toMany: Int) -> [Place] {
    let table = tables[place.table]
    let inverse = table.entity.toManyRelationships[toMany].inverse
    let key = place.row[table.rows.keyIndex]
    return tables.indices.flatMap { other in
      let references = tables[other].rows.references
      return references.indices.flatMap { index -> [Place] in
        guard references[index].column.name == inverse,
          tables[other].destinations[index] == place.table
        else { return [] }
        return referring[other][index][key, default: []].map { (other, $0) }
      }
    }
  }
}
