/// One state of a store, which contexts can go on reading while others write.
///
/// Held as long as a token of it lives, or a context is pinned to it. It costs a connection, and
/// SQLite's WAL grows meanwhile: no checkpoint can pass a state that is being read.
public struct QueryGenerationToken: Sendable, Equatable {
  /// The state that the store is in when a context reads next.
  public static let current = QueryGenerationToken(reader: nil)

  /// Shows this state; nil if it is not chosen yet.
  let reader: (any PersistentStoreCoordinator)?

  private init(reader: (any PersistentStoreCoordinator)?) {
    self.reader = reader
  }

  init(of coordinator: any PersistentStoreCoordinator) throws {
    reader = try coordinator.generation()
  }

  public static func == (a: QueryGenerationToken, b: QueryGenerationToken) -> Bool {
    a.reader === b.reader
  }
}
