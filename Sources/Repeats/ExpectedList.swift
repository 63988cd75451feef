import ObjectGraph
import Workload

/// The rows that a list must show, as hashes in order.
///
/// A list with a limit is right in two ways. One that is fetched again shows the first rows of
/// `rows`. A fetched results controller applies its limit to the first fetch alone:
///
///     rows        a   b   c   d   e   f        in order, without the limit
///     required    ×   ×       ×                of the first fetch and still there, or inserted
///     right       a   b       d   e            each required row, and any other in its place
struct ExpectedList: Sendable {
  /// Of the first rows: all without a limit.
  private let first: OrderedDigest
  /// Empty if only the first rows are right.
  private let rows: [UInt64]
  private let required: [Bool]

  /// - Parameters:
  ///   - rows: all rows that match the list's predicate, in order.
  ///   - isChanged: whether changes came after the first fetch.
  init(_ rows: [Row], ofTable index: Int, _ cell: PreparedCell, isChanged: Bool) {
    let limit = index == 0 ? cell.scenario.list.limit : nil
    first = OrderedDigest(rows.lazy.prefix(limit ?? rows.count).map(Fingerprint.hash))
    guard let limit, isChanged else {
      (self.rows, required) = ([], [])
      return
    }
    self.rows = rows.map(Fingerprint.hash)
    let key = cell.model.tables[0].rows.keyIndex
    let before = cell.workload.initialRows
    let first = cell.shown(cell.workload.inListOrder(before)).prefix(limit)
    let firstKeys = Set(first.map { $0[key] })
    let olderKeys = Set(before.map { $0[key] })
    required = rows.map { firstKeys.contains($0[key]) || !olderKeys.contains($0[key]) }
  }

  func holds(_ list: some Collection<UInt64>) -> Bool {
    OrderedDigest(list) == first || !required.isEmpty && isRightBeyondTheLimit(list)
  }

  private func isRightBeyondTheLimit(_ list: some Collection<UInt64>) -> Bool {
    var place = 0
    for row in list {
      while place < rows.count, rows[place] != row {
        if required[place] { return false }
        place += 1
      }
      guard place < rows.count else { return false }
      place += 1
    }
    return !required[place...].contains(true)
  }
}

/// A million rows take no memory beside main's objects.
private struct OrderedDigest: Equatable {
  private var count = 0
  private var hash: UInt64 = 0

  init(_ rows: some Sequence<UInt64>) {
    for row in rows {
      count += 1
      hash = (hash ^ row) &* 0x100_0000_01B3
      hash ^= hash >> 29
    }
  }
}

extension PreparedCell {
  /// The rows that match the list's predicate, tested without SQL.
  func shown(_ rows: [Row]) -> [Row] {
    guard let predicate = model.listPredicate else { return rows }
    return rows.filter { predicate.matches(model.list.values($0)) }
  }
}
