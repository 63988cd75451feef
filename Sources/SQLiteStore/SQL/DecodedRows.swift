import ObjectGraph

/// Rows for the caller, and the same rows for the row cache. The cache's reference is counted as
/// soon as a row is read, while its buffer is in the processor's caches.
struct DecodedRows {
  private(set) var rows: [FetchedRow] = []
  private(set) var snapshots: [RowSnapshot] = []

  init(_ rows: [FetchedRow] = []) {
    for row in rows { append(row) }
  }

  var count: Int { rows.count }

  mutating func append(_ row: consuming FetchedRow) {
    snapshots.append(row.snapshot)
    rows.append(row)
  }

  static func += (rows: inout DecodedRows, more: DecodedRows) {
    rows.rows += more.rows
    rows.snapshots += more.snapshots
  }

  /// `body` consumes the cache's snapshots.
  mutating func handOver(_ body: (ManagedObjectID, consuming RowSnapshot) -> Void) {
    rows.withUnsafeBufferPointer { rows in
      snapshots.withUnsafeMutableBufferPointer { snapshots in
        for index in rows.indices { body(rows[index].id, snapshots[index].take()) }
      }
    }
    snapshots = []
  }
}
