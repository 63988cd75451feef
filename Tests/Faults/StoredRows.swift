import Foundation
import GRDB

/// The rows that plain SQL reads from a closed store.
struct StoredRows: CustomStringConvertible {
  private(set) var lines: [String] = []
  private(set) var problems: [String] = []

  init(_ url: URL) throws {
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    defer { try? queue.close() }
    try queue.inDatabase { database in
      problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' ORDER BY 1"
      lines = try String.fetchAll(database, sql: sql)
      // An empty file has no rows.
      guard lines.contains("ZITEM") else { return }
      let queries = lines.contains("ZTAG") ? Self.queries : [Self.oldItems]
      lines += try queries.flatMap { try String.fetchAll(database, sql: $0) }
      guard try database.tableExists("ATRANSACTION") else { return }
      lines += try String.fetchAll(database, sql: Self.history)
      problems += try Self.wrongHistory.flatMap { try String.fetchAll(database, sql: $0) }
    }
  }

  var description: String { (lines + problems).joined(separator: "\n") }

  private static let oldItems = """
    SELECT printf('old item %d: %s, %s', ZKEY, ZNAME, coalesce(ZTITLE, 'no group'))
    FROM ZITEM i LEFT JOIN ZGROUP g ON g.Z_PK = i.ZGROUP ORDER BY ZKEY
    """

  private static let queries = [
    "SELECT 'group ' || ZTITLE FROM ZGROUP ORDER BY 1",
    "SELECT 'tag ' || ZTITLE FROM ZTAG ORDER BY 1",
    """
    SELECT printf('item %d: %s, rank %d, %s', ZKEY, ZNAME, ZRANK, coalesce(ZTITLE, 'no group'))
    FROM ZITEM i LEFT JOIN ZGROUP g ON g.Z_PK = i.ZGROUP ORDER BY ZKEY
    """,
    """
    SELECT printf('link of %d to %s', ZKEY, ZTITLE) FROM Z_2TAGS
    LEFT JOIN ZITEM i ON i.Z_PK = Z_2ITEMS LEFT JOIN ZTAG t ON t.Z_PK = Z_3TAGS ORDER BY 1
    """,
  ]

  /// Without the rival, who writes the more often the more errors there are.
  private static let history = """
    SELECT printf('transaction by %s: %d changes', ZCONTEXTNAME,
    (SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID = t.Z_PK))
    FROM ATRANSACTION t WHERE ZCONTEXTNAME <> 'rival' ORDER BY t.Z_PK
    """

  private static let wrongHistory = [
    "SELECT 'history: a gap' WHERE (SELECT max(Z_PK) - min(Z_PK) + 1 <> count(*) FROM ATRANSACTION)",
    "SELECT 'history: a change of no transaction' FROM ACHANGE WHERE ZTRANSACTIONID NOT IN "
      + "(SELECT Z_PK FROM ATRANSACTION)",
  ]
}
