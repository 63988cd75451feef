public import SQLiteStore

/// One topology that can be asked for by name.
public struct TopologyDescriptor: Sendable {
  /// What a topology is beside the others.
  public enum Kind: String, Sendable, CaseIterable {
    /// An arrangement of contexts, as an app would choose it.
    case contexts
    /// No context at all: what somebody would use instead of them.
    case peer
    /// What nobody should choose; measured because people do.
    case antiPattern = "anti-pattern"
  }

  /// What the command line calls it: lower case, words joined by hyphens.
  public let name: String
  /// A picture of its wiring in one line: `worker → coordinator ← main`.
  public let wiring: String
  /// How a background change reaches disk and screen.
  public let summary: String
  /// What of it the main queue pays for, in a sentence or two; nil where nobody said.
  public let mainCosts: String?
  /// For whom it is the right choice, in a sentence or two; nil where nobody said.
  public let chooseWhen: String?
  public let kind: Kind
  /// The only mode it can run in, if it brings its own store access.
  public let fixedStoreMode: StoreMode?
  /// The work that it cannot do, and why; a scenario that asks for it is refused before it starts.
  public internal(set) var refusals: [WorkKind: String] = [:]
  public let make: @Sendable (TopologyEnvironment) throws -> any Topology

  public init(
    name: String, wiring: String, summary: String, mainCosts: String? = nil,
    chooseWhen: String? = nil, kind: Kind = .contexts, fixedStoreMode: StoreMode? = nil,
    make: @escaping @Sendable (TopologyEnvironment) throws -> any Topology
  ) {
    self.name = name
    self.wiring = wiring
    self.summary = summary
    self.mainCosts = mainCosts
    self.chooseWhen = chooseWhen
    self.kind = kind
    self.fixedStoreMode = fixedStoreMode
    self.make = make
  }

  /// The store modes that it can run in.
  public var storeModes: [StoreMode] { fixedStoreMode.map { [$0] } ?? StoreMode.allCases }
}
