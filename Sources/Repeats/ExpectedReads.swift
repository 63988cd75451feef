import ObjectGraph
import Workload

/// What cells must read besides their rows, found in the rows of all entities without the core.
struct ExpectedReads {
  private let related: [RelatedValue]
  private let graph: RowGraph

  /// Nil if cells read nothing else.
  init?(_ cell: PreparedCell, _ rows: [[Row]]) {
    guard !cell.model.related.isEmpty else { return nil }
    related = cell.model.related
    graph = RowGraph(cell, rows)
  }

  /// The related values in the cell of a row of the first entity.
  func values(of row: Row) -> Row {
    let place = graph.place(of: row)
    return Row(related.map { value($0, of: place) })
  }

  private func value(_ related: RelatedValue, of place: RowPlace) -> Value {
    switch related.source {
    case .column(let path):
      place.objects(at: path.steps).first.map { $0.value(at: path.column ?? 0) } ?? .null
    case .count(let path): .int64(Int64(place.objects(at: path.steps).count))
    case .last(let path, let terms, let column):
      place.objects(at: path.steps)
        .max { isOrdered($0, before: $1, by: terms) }.map { $0.value(at: column) } ?? .null
    }
  }

  private func isOrdered(
    _ a: RowPlace, before b: RowPlace, by terms: [ObjectGraph.SortTerm]
  ) -> Bool {
    for term in terms {
      let order = a.value(at: term.attribute).order(relativeTo: b.value(at: term.attribute))
      if order != 0 { return (order < 0) == term.isAscending }
    }
    return false
  }
}
