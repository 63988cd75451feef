public import SQLiteStore

/// A topology that can be run by name.
///
/// Example: `Snippets/own-topology.swift`.
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
  /// Whether main's work depends on the clock or on the progress of other threads. If so, the gate
  /// does not fail on its counted cells.
  public let dependsOnTiming: Bool
  /// The kinds of work that it cannot do, with reasons. Scenarios that need them are refused.
  public let refusals: [WorkKind: String]
  public let make: @Sendable (TopologyEnvironment) throws -> any Topology

  /// - Parameter deletesWithoutRules: whether it obeys `TopologyEnvironment.runsDeleteRules`. If
  ///   not, it refuses deletions without rules.
  public init(
    name: String, wiring: String, summary: String, mainCosts: String? = nil,
    chooseWhen: String? = nil, knownAs: [String] = [], kind: Kind = .contexts,
    fixedStoreMode: StoreMode? = nil, dependsOnTiming: Bool = false,
    refusals: [WorkKind: String] = [:], deletesWithoutRules: Bool = false,
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
    self.dependsOnTiming = dependsOnTiming
    let rules = [WorkKind.deletionWithoutRules: "its deletions run the model's delete rules"]
    self.refusals = deletesWithoutRules ? refusals : rules.merging(refusals) { $1 }
    self.make = make
  }

  /// The store modes that it can run in.
  public var storeModes: [StoreMode] { fixedStoreMode.map { [$0] } ?? StoreMode.allCases }

  /// Leaves out *deletions without rules*, which all but one topology refuse.
  package var refusalSentences: [String] {
    WorkKind.allCases.filter { $0 != .deletionWithoutRules }.compactMap { kind in
      refusals[kind].map { "No \(kind.rawValue): \($0)." }
    }
  }

  /// The first refused kind of work, with the reason; nil if none is refused.
  public func refusal(of kinds: Set<WorkKind>) -> String? {
    WorkKind.allCases.filter(kinds.contains).lazy.compactMap { kind in
      refusals[kind].map { "\(kind.rawValue): \($0)" }
    }.first
  }
}

/// Work that a scenario may need and that some topologies cannot do.
public enum WorkKind: String, Sendable, CaseIterable {
  /// Rows of several entities that refer to one another.
  case relatedRows = "related rows"
  /// Whole rows that arrive, to be updated or inserted.
  case arrivals
  /// Whole rows, inserted without a lookup. A uniqueness constraint finds duplicates.
  case constraint = "arrivals by a uniqueness constraint"
  /// Nested records as JSON.
  case records
  /// Deleting the rows that a predicate matches.
  case deleteWhere
  /// Deleting owners while their children stay, as batch requests of Core Data do.
  case deletionWithoutRules = "deletions without rules"
  /// Reading a list's rows in batches, as they are shown.
  case batches = "batches of a list"
  /// Reading the objects that a list's rows refer to, before they are shown.
  case prefetching = "prefetching of relationships"
  /// A list in sections.
  case sections = "sections"
  /// Sections by a value that an object computes.
  case computedSections = "computed sections"
  /// A store with a history, which every stack continues.
  case history
  /// An undo manager in the context of each worker.
  case workersUndo = "undo in workers"
  /// A store of an older version of the model, which its opening migrates.
  case migration = "migration of a store"

  /// The refusals of topologies without contexts.
  static let noContexts: [WorkKind: String] = [
    .history: "its commits would be missing there", .workersUndo: "no worker has a context",
    .migration: "migrators are not measured",
  ]
}
