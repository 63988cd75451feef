public import SQLiteStore

/// A topology that can be run by name.
public struct TopologyDescriptor: Sendable {
  /// The role of a topology in comparisons.
  public enum Kind: String, Sendable, CaseIterable {
    /// An arrangement of contexts that an app might choose.
    case contexts
    /// An alternative without contexts.
    case peer
    /// A common mistake, measured for its cost.
    case antiPattern = "anti-pattern"
  }

  /// The name on the command line: lower case, words joined by hyphens.
  public let name: String
  /// The wiring in one line: `worker → coordinator ← main`.
  public let wiring: String
  /// How a background change reaches disk and screen.
  public let summary: String
  /// The work that runs on main or that main waits for.
  public let mainCosts: String?
  /// When the topology is the right choice.
  public let chooseWhen: String?
  /// Names in Core Data, GRDB and libraries, the most common first.
  public let knownAs: [String]
  public let kind: Kind
  /// The only mode it can run in, if it opens the store itself.
  public let fixedStoreMode: StoreMode?
  /// Whether main's work depends on the clock or on the progress of other threads. Its counted
  /// cells are not gated.
  public internal(set) var dependsOnTiming = false
  /// The kinds of work that it cannot do, with reasons. Scenarios that need them are refused.
  public internal(set) var refusals: [WorkKind: String] = [:]
  public let make: @Sendable (TopologyEnvironment) throws -> any Topology

  public init(
    name: String, wiring: String, summary: String, mainCosts: String? = nil,
    chooseWhen: String? = nil, knownAs: [String] = [], kind: Kind = .contexts,
    fixedStoreMode: StoreMode? = nil,
    make: @escaping @Sendable (TopologyEnvironment) throws -> any Topology
  ) {
    self.name = name
    self.wiring = wiring
    self.summary = summary
    self.mainCosts = mainCosts
    self.chooseWhen = chooseWhen
    self.knownAs = knownAs
    self.kind = kind
    self.fixedStoreMode = fixedStoreMode
    self.make = make
  }

  /// The store modes that it can run in.
  public var storeModes: [StoreMode] { fixedStoreMode.map { [$0] } ?? StoreMode.allCases }
}

extension TopologyDescriptor {
  func dependingOnTiming() -> TopologyDescriptor {
    var descriptor = self
    descriptor.dependsOnTiming = true
    return descriptor
  }
}
