package import GRDB
package import ObjectGraph

// One SQL for connections of two kinds: those that this store drives by their C handles, and GRDB's,
// which has to see each write itself, or no observation would hear of it.

/// A prepared statement, whoever drives it. Its parameters are bound by its handle.
package protocol PlainStatement {
  var handle: OpaquePointer { get }
  /// Runs a statement that writes.
  func run() throws
  /// The rows of a statement that returns keys and the numbers of entities, in a store of number 0.
  func rowIDs() throws -> [ManagedObjectID]
}

/// A connection to a store, whoever's.
package protocol PlainConnection {
  /// The statement of this text, reset, its parameters null.
  func plainStatement(_ sql: String) throws -> any PlainStatement
}

extension Connection: PlainConnection {
  package func plainStatement(_ sql: String) throws -> any PlainStatement {
    try statement(.sql(sql))
  }
}

extension PreparedStatement: PlainStatement {
  package func run() throws { try execute() }

  package func rowIDs() throws -> [ManagedObjectID] {
    defer { reset() }
    var ids: [ManagedObjectID] = []
    while try step() { ids.append(id(store: 0)) }
    return ids
  }
}

extension Database: PlainConnection {
  package func plainStatement(_ sql: String) throws -> any PlainStatement {
    let statement = try cachedStatement(sql: sql)
    // As far as GRDB knows, it has its arguments.
    statement.setUncheckedArguments([])
    return statement
  }
}

extension Statement: PlainStatement {
  package var handle: OpaquePointer { sqliteStatement }

  package func run() throws { try execute() }

  package func rowIDs() throws -> [ManagedObjectID] {
    try Row.fetchAll(self).map { row in
      let number: Int32 = row[1]
      return ManagedObjectID(store: 0, entityIndex: number - 1, primaryKey: row[0])
    }
  }
}
