public import SQLiteStore

/// One topology that can be asked for by name.
public struct TopologyDescriptor: Sendable {
  /// What the command line calls it: lower case, words joined by hyphens.
  public let name: String
  /// Its wiring in one line.
  public let wiring: String
  /// How a background change reaches disk and screen, and where that costs the main queue.
  public let summary: String
  /// The only mode it can run in, if it brings its own store access.
  public let fixedStoreMode: StoreMode?
  public let make: @Sendable (TopologyEnvironment) throws -> any Topology

  public init(
    name: String, wiring: String, summary: String, fixedStoreMode: StoreMode? = nil,
    make: @escaping @Sendable (TopologyEnvironment) throws -> any Topology
  ) {
    self.name = name
    self.wiring = wiring
    self.summary = summary
    self.fixedStoreMode = fixedStoreMode
    self.make = make
  }
}
