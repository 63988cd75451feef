public import Foundation
public import ObjectGraph
public import Queues
public import SQLiteStore

/// What a topology is made of: where the rows are, which queue is main, and what is asked of it.
public struct TopologyEnvironment: Sendable {
  public let store: URL
  public let storeMode: StoreMode
  public let model: Model
  /// That of the list's rows.
  public let entity: Entity
  /// The index of the attribute that names a row outside this process.
  public let keyIndex: Int
  /// The entities whose rows the stream changes; the first is that of the list.
  public let rowEntities: [RowEntity]
  public let mainQueue: any RunLoopQueue
  /// Total: the last descriptor is the key.
  public let sortDescriptors: [ObjectGraph.SortTerm]
  public let lookup: Lookup
  public let realised: Realised
  /// What a context that saves into the coordinator does about rows that changed meanwhile.
  public let mergePolicy: MergePolicy
  /// Told of every change of the list, on the main queue.
  public let listDidChange: @Sendable (ListEvent) -> Void

  /// - Parameter rowEntities: empty, if the stream changes rows of the list alone and none refers to
  ///   another.
  public init(
    store: URL, storeMode: StoreMode, model: Model, entity: Entity, keyIndex: Int,
    rowEntities: [RowEntity] = [], mainQueue: any RunLoopQueue,
    sortDescriptors: [ObjectGraph.SortTerm], lookup: Lookup, realised: Realised,
    mergePolicy: MergePolicy = .error, listDidChange: @escaping @Sendable (ListEvent) -> Void
  ) {
    self.store = store
    self.storeMode = storeMode
    self.model = model
    self.entity = entity
    self.keyIndex = keyIndex
    self.rowEntities =
      rowEntities.isEmpty ? [RowEntity(entity, keyIndex: keyIndex)] : rowEntities
    self.mainQueue = mainQueue
    self.sortDescriptors = sortDescriptors
    self.lookup = lookup
    self.realised = realised
    self.mergePolicy = mergePolicy
    self.listDidChange = listDidChange
  }
}
