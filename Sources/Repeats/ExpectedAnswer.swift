import Measurement
import ObjectGraph
import Topologies
import Workload

extension ScreenQuestions {
  /// The answers to the questions that follow the window.
  struct Answer: Sendable {
    /// Nil if the user asks for no counts.
    var count: Int?
    /// The keys of the found rows, in order. Nil if the user does not search.
    var keys: [Value]?

    init(count: Int? = nil, keys: [Value]? = nil) { (self.count, self.keys) = (count, keys) }

    /// Finds the answers in the rows of all entities, without SQL. Nil if the user asks nothing.
    init?(_ cell: PreparedCell, _ tables: [[Row]]) {
      guard cell.scenario.user.asks else { return nil }
      let graph = RowGraph(cell, tables)
      if cell.scenario.user.countsPerSecond > 0 {
        let predicate = cell.countQuery.predicate ?? .true
        count = tables[0].count { predicate.holds(for: graph.place(of: $0), in: []) }
      }
      guard !cell.typed.isEmpty else { return }
      let predicate = cell.searchQuery(for: cell.lastTyped).predicate ?? .true
      let found = tables[0].filter { predicate.holds(for: graph.place(of: $0), in: []) }
      let limit = cell.scenario.list.limit ?? found.count
      keys = found.prefix(limit).map { $0[cell.model.list.rows.keyIndex] }
    }

    func difference(from found: Answer) -> String? {
      if found.count != count {
        return "a count found \(found.count ?? 0) row(s), not \(count ?? 0)"
      }
      guard found.keys != keys else { return nil }
      let (found, keys) = (found.keys ?? [], keys ?? [])
      return Set(found) == Set(keys) && found.count == keys.count
        ? "a search found the right rows in the wrong order"
        : "a search found \(found.count) row(s), and not the expected \(keys.count)"
    }
  }
}

extension PreparedCell {
  /// The rows that a count counts.
  var countQuery: ListQuery {
    var query = ListQuery(model.entity, sortedBy: [])
    query.predicate = model.countPredicate
    return query
  }

  /// The list's rows that a search finds.
  func searchQuery(for text: String) -> ListQuery {
    var query = query(ofTable: 0)
    let found = model.searchPredicate(text)
    query.predicate = query.predicate.map { .and([$0, found]) } ?? found
    (query.sections, query.prefetching) = (nil, [])
    return query
  }
}

extension ListOnMain {
  func column(_ index: Int) -> [Value] { (0..<count).map { row(at: $0)[index] } }
}
