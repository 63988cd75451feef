public import Foundation
public import ObjectGraph
public import Queues
public import SQLiteStore

/// The store, the main queue and the scenario's settings.
///
/// Example: `Snippets/own-topology.swift`.
public struct TopologyEnvironment: Sendable {
  public let store: URL
  public let storeMode: StoreMode
  public let model: Model
  /// The entity of the rows that change.
  public let entity: Entity
  /// The column that identifies a row outside this process.
  public let keyIndex: Int
  /// The entities whose rows change, `entity` first.
  public let rowEntities: [RowEntity]
  /// Main's queue, whose work is measured. `DispatchQueue.main` and the main actor run nothing:
  /// work that a topology submits there ends the cell.
  public let mainQueue: any RunLoopQueue
  public let lookup: Lookup
  public let realised: Realised
  /// Whether a row that arrives again sets only the attributes that differ.
  public let comparesBeforeSetting: Bool
  /// Whether the store has a history, which every coordinator must continue.
  public let keepsHistory: Bool
  /// Whether a worker uses one context for all batches and keeps the objects that it touched.
  public let reusesWorkers: Bool
  /// Whether workers' contexts have an undo manager.
  public let workersUndo: Bool
  /// Whether deletions run the model's delete rules. If not, children of a deleted row stay, and
  /// refer to nothing.
  public let runsDeleteRules: Bool
  /// Whether the store may be of an older version of the model, which its opening migrates.
  public let migratesStore: Bool
  /// The merge policy of contexts that save into the coordinator.
  public let mergePolicy: MergePolicy
  /// Main's lists. The first is on screen; there may be none.
  public let lists: [ListDescription]

  /// - Parameter rowEntities: empty if only rows of `entity` change and none refers to another.
  public init(
    store: URL, storeMode: StoreMode, model: Model, entity: Entity, keyIndex: Int,
    rowEntities: [RowEntity] = [], mainQueue: any RunLoopQueue,
    lists: [ListDescription], lookup: Lookup, realised: Realised,
    comparesBeforeSetting: Bool = true, keepsHistory: Bool = false, reusesWorkers: Bool = false,
    workersUndo: Bool = false, runsDeleteRules: Bool = true, migratesStore: Bool = false,
    mergePolicy: MergePolicy = .error
  ) {
    self.store = store
    self.storeMode = storeMode
    self.model = model
    self.entity = entity
    self.keyIndex = keyIndex
    self.rowEntities = rowEntities.isEmpty ? [RowEntity(entity, keyIndex: keyIndex)] : rowEntities
    self.mainQueue = mainQueue
    self.lookup = lookup
    self.realised = realised
    self.comparesBeforeSetting = comparesBeforeSetting
    self.keepsHistory = keepsHistory
    self.reusesWorkers = reusesWorkers
    self.workersUndo = workersUndo
    self.runsDeleteRules = runsDeleteRules
    self.migratesStore = migratesStore
    self.mergePolicy = mergePolicy
    self.lists = lists
  }

  var storeConfiguration: StoreConfiguration {
    var configuration = StoreConfiguration(url: store, mode: storeMode)
    configuration.keepsHistory = keepsHistory
    configuration.migratesAutomatically = migratesStore
    return configuration
  }
}
