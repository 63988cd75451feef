package import DataModel
package import Foundation

/// One change of the stream, identified by a business key.
package enum RowChange: Hashable, Sendable {
  case insert(Row)
  /// The changed fields in the order of the attributes, without the key.
  case update(key: Value, fields: [FieldChange])
  case delete(key: Value)
  /// A whole row, to update by its key or to insert.
  case upsert(Row)
  case records(Records)
  case deleteWhere
  /// A change of another entity than the list's, by its index in ``Workload/tables``.
  indirect case of(Int, RowChange)
}

/// A batch as a server sends it, as JSON: rows of the list, with the rows on both ends of their
/// references nested inside.
package struct Records: Hashable, Sendable {
  package let json: Data
  /// Upserts in the order in which a decoder meets them.
  package let rows: [RowChange]
}

package struct ChangeCounts: Hashable, Sendable {
  package var inserts = 0
  package var updates = 0
  package var deletes = 0

  package var total: Int { inserts + updates + deletes }
}

extension ChangeCounts {
  init(_ changes: some Sequence<RowChange>) {
    for change in changes { count(change) }
  }

  private mutating func count(_ change: RowChange) {
    switch change {
    case .insert: inserts += 1
    case .update(_, let fields): updates += fields.isEmpty ? 0 : 1
    case .delete: deletes += 1
    case .of(_, let change): count(change)
    case .upsert, .records, .deleteWhere:
      preconditionFailure("what arrives is counted by its effects")
    }
  }
}

extension RowChange {
  var isDelete: Bool {
    switch self {
    case .delete, .of(_, .delete): true
    default: false
    }
  }

  func of(_ index: Int) -> RowChange { index == 0 ? self : .of(index, self) }
}

extension [RowChange] {
  /// At most `size` changes each; nil for a single batch.
  func batches(of size: Int?) -> [[RowChange]] {
    guard !isEmpty else { return [] }
    let size = size ?? count
    return stride(from: 0, to: count, by: size).map {
      Array(self[$0..<Swift.min($0 + size, count)])
    }
  }
}

extension TableRows {
  /// Updates and deletes in the old rows' order, then inserts in the new rows' order.
  func differences() -> [RowChange] {
    var changes: [RowChange] = []
    for row in before.rows {
      let key = row[entity.keyIndex]
      guard let target = after[key] else {
        changes.append(.delete(key: key))
        continue
      }
      let fields = row.changedFields(to: target)
      if !fields.isEmpty { changes.append(.update(key: key, fields: fields)) }
    }
    let new = after.rows.filter { before[$0[entity.keyIndex]] == nil }
    return changes + new.map(RowChange.insert)
  }
}

extension Row {
  func changedFields(to target: Row) -> [FieldChange] {
    indices.filter { self[$0] != target[$0] }.map { FieldChange(index: $0, value: target[$0]) }
  }
}

/// When the saves of a stream are due, on a grid that a late save does not move.
///
/// Without a span, save *n* is due at *n* / rate. With one, the saves due in it are joined into
/// one, due at its end:
///
///     arrive   0   10   20   30   40   50        100 saves/s, joined in spans of 25 ms
///     due                25        50        75
///     holds            0 1 2      3 4        5
package struct SavePace: Sendable, Equatable {
  /// Saves per second; 0 if each follows the last at once.
  package var perSecond = 0.0
  /// Zero to join none.
  package var span = Duration.zero

  /// Seconds beyond every horizon. Later times may not fit into a `Duration`.
  private static let latest = 100_000.0

  /// No times without a rate.
  func paced(_ batches: [[RowChange]]) -> (batches: [[RowChange]], due: [Duration]) {
    guard perSecond > 0 else { return (batches, []) }
    let arrivals = batches.indices.map {
      Duration.seconds(min(Double($0) / perSecond, Self.latest))
    }
    guard span > .zero else { return (batches, arrivals) }
    var joined: [[RowChange]] = []
    var due: [Duration] = []
    for (batch, arrival) in zip(batches, arrivals) {
      let end = span * (Int(arrival / span) + 1)
      if due.last == end {
        joined[joined.count - 1] += batch
      } else {
        joined.append(batch)
        due.append(end)
      }
    }
    return (joined, due)
  }
}
