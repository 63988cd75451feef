import ObjectGraph

// While changes arrive, the user asks the store how many rows match, and which. Most apps ask on
// main, others in the background:
//
//   on main       main.fetch ──▶ objects                          read when they are shown
//   background    reader.fetch ──▶ IDs ┄┄▶ main: object(with:)    each shown fault fires on main
//
// These faults need no statement where the row cache holds the rows of main's list: without a batch
// size.

/// Objects that a search found, in the list's order.
struct FoundObjects: ListOnMain {
  let objects: [ManagedObject]
  let query: ListQuery

  var count: Int { objects.count }
  func row(at index: Int) -> ContiguousArray<Value> { objects[index].allValues }
  func cell(at index: Int) -> ContiguousArray<Value> { objects[index].cell(query) }
}

/// Objects that a search found in another context. Main makes its own when it reads them.
struct FoundIDs: ListOnMain, Sendable {
  let ids: [ManagedObjectID]
  let main: ManagedObjectContext
  let query: ListQuery

  var count: Int { ids.count }
  func row(at index: Int) -> ContiguousArray<Value> { main.object(with: ids[index]).allValues }
  func cell(at index: Int) -> ContiguousArray<Value> { main.object(with: ids[index]).cell(query) }
}

/// Values that a search found, with those that a cell reads besides its row.
struct FoundValues: ListOnMain, Sendable {
  let cells: [ContiguousArray<Value>]
  let columns: Int

  var count: Int { cells.count }
  func row(at index: Int) -> ContiguousArray<Value> {
    cells[index].count == columns ? cells[index] : ContiguousArray(cells[index].prefix(columns))
  }
  func cell(at index: Int) -> ContiguousArray<Value> { cells[index] }
}

extension ContextTopology {
  public func countOnMain(_ query: ListQuery) throws -> Int { try main.count(query.counted) }

  public func searchOnMain(_ query: ListQuery) throws -> any ListOnMain {
    FoundObjects(objects: try main.fetch(query.foundAtOnce), query: query)
  }

  public func count(_ query: ListQuery) async throws -> Int {
    let reader = stack.reader
    return try await reader.perform { try reader.count(query.counted) }
  }

  public func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    let reader = stack.reader
    let ids = try await reader.perform { try reader.fetch(query.foundAtOnce).map(\.objectID) }
    return FoundIDs(ids: ids, main: main, query: query)
  }
}

extension ListQuery {
  /// A search has no batches: its list is gone with the next letter.
  var foundAtOnce: FetchRequest {
    var request = request
    request.batchSize = 0
    return request
  }

  /// All matching rows, also beyond the limit.
  var counted: FetchRequest { FetchRequest(entity, where: predicate) }
}

/// A topology of an app's own that does not answer the user's questions.
struct NotAnswered: Error, CustomStringConvertible {
  let function: String

  var description: String {
    "this topology answers no such question; implement \(function), or set user.counts_per_s and"
      + " user.searches_per_s to 0"
  }
}
