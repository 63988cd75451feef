import Foundation
import ObjectGraph

/// The history of a store that was in use for years, written between the rows of a template, so
/// that the pages of a table lie scattered over the file. Each transaction updates the last ten
/// rows.
struct AgedHistory {
  private let transactions: Int
  private let rowCount: Int
  private let writer: HistoryWriter
  private var rowsSeen = 0
  private var written = 0
  private var latest: [ManagedObjectID] = []

  private static let changesEach = 10

  init(_ transactions: Int, rowCount: Int, on connection: Connection) {
    self.transactions = transactions
    self.rowCount = rowCount
    // Always the same, so that equal scenarios make equal files.
    writer = HistoryWriter(
      connection: connection, date: Date(timeIntervalSinceReferenceDate: 0))
  }

  /// Writes the share of the history that follows this row.
  mutating func rowWasInserted(_ id: ManagedObjectID) throws {
    guard transactions > 0 else { return }
    rowsSeen += 1
    latest.append(id)
    if latest.count > Self.changesEach { latest.removeFirst() }
    let due = transactions * rowsSeen / rowCount
    while written < due {
      let changes = (0..<Self.changesEach).map { number in
        HistoryWriter.Change(
          id: latest[number % latest.count], kind: .update, columns: AttributeMask(index: 0))
      }
      _ = try writer.record(author: nil, contextName: nil, changes)
      written += 1
    }
  }
}
