import ObjectGraph

/// Rows for whoever asks, and once more for the row cache: what both share is counted while a row is at
/// hand, and not when the last one has been read and the first is long out of the processor's caches.
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

  /// Calls `body` with each row's ID and the snapshot for the cache, which is handed over.
  mutating func handOver(_ body: (ManagedObjectID, consuming RowSnapshot) -> Void) {
    rows.withUnsafeBufferPointer { rows in
      snapshots.withUnsafeMutableBufferPointer { snapshots in
        for index in rows.indices { body(rows[index].id, snapshots[index].take()) }
      }
    }
    snapshots = []
  }
}
