/// One state of a store, which contexts can read while others write.
///
/// The state is held as long as a token or a pinned context refers to it. It occupies a connection,
/// and SQLite's WAL grows meanwhile: no checkpoint can pass a state that is being read.
public struct QueryGenerationToken: Sendable, Equatable {
  /// The store's state at the context's next read.
  public static let current = QueryGenerationToken(reader: nil)

  /// Reads this state; nil until it is chosen.
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
