package import GRDB
package import ObjectGraph

// GRDB must run each write of its connections itself, or its observations would miss them. This
// store steps statements by their C handles.

/// Callers bind parameters by the handle.
package protocol PlainStatement {
  var handle: OpaquePointer { get }
  func run() throws
  /// The statement returns keys and the numbers of entities.
  func ids(in table: EntityTable, store: Int32) throws -> [ManagedObjectID]
}

package protocol PlainConnection {
  /// The statement is reset, and its parameters are null.
  func plainStatement(_ sql: String) throws -> any PlainStatement
}

extension Connection: PlainConnection {
  package func plainStatement(_ sql: String) throws -> any PlainStatement {
    try statement(.sql(sql))
  }
}

extension PreparedStatement: PlainStatement {
  package func run() throws { try execute() }
}

extension Database: PlainConnection {
  package func plainStatement(_ sql: String) throws -> any PlainStatement {
    let statement = try cachedStatement(sql: sql)
    // The handle binds the arguments, unseen by GRDB.
    statement.setUncheckedArguments([])
    return statement
  }
}

extension Statement: PlainStatement {
  package var handle: OpaquePointer { sqliteStatement }

  package func run() throws { try execute() }

  package func ids(in table: EntityTable, store: Int32) throws -> [ManagedObjectID] {
    try Row.fetchAll(self).map { row in
      let number: Int32 = row[1]
      return ManagedObjectID(store: store, entityIndex: number - 1, primaryKey: row[0])
    }
  }
}
