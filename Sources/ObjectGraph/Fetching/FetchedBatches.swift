/// The result of a fetch whose rows are read on access, `batchSize` at a time. All IDs are known
/// from the start.
///
/// Use it on its context's queue. It retains the objects of the batches that it has read. Copying
/// it into an `Array` reads everything. On a child context the batch size is ignored, as in Core
/// Data: everything is read at once. So is a sorted result with pending changes, which is sorted in
/// memory by the values of all objects.
public final class FetchedBatches: RandomAccessCollection {
  public let context: ManagedObjectContext
  public let objectIDs: [ManagedObjectID]
  public let batchSize: Int
  private let request: FetchRequest
  /// Nil for a batch not yet read.
  private var batches: [[ManagedObject]?]

  init(_ request: FetchRequest, in context: ManagedObjectContext) throws {
    self.context = context
    self.request = request
    if case .coordinator = context.parent, request.batchSize > 0,
      !context.pendingObjects(of: request).changeOrder(of: request)
    {
      objectIDs = try context.fetchIDs(request)
      batchSize = request.batchSize
      batches = Array(repeating: nil, count: (objectIDs.count + batchSize - 1) / batchSize)
    } else {
      let objects = try context.fetch(request)
      objectIDs = objects.map(\.objectID)
      batchSize = Swift.max(objects.count, 1)
      batches = objects.isEmpty ? [] : [objects]
    }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { objectIDs.count }

  /// The object at a position, possibly a fault with a cached row. Reads its batch if needed. If
  /// its row is gone meanwhile, the object is a fault without a row.
  public subscript(position: Int) -> ManagedObject {
    context.assertOnQueue()
    let number = position / batchSize
    if let batch = batches[number] { return batch[position % batchSize] }
    let batch = read(objectIDs[(number * batchSize)...].prefix(batchSize))
    batches[number] = batch
    return batch[position % batchSize]
  }

  private func read(_ ids: ArraySlice<ManagedObjectID>) -> [ManagedObject] {
    var request = FetchRequest(
      request.entity, where: .isSelf(in: ids.filter { !$0.isTemporary }))
    request.includesPendingChanges = false
    request.includesSubentities = self.request.includesSubentities
    request.returnsObjectsAsFaults = self.request.returnsObjectsAsFaults
    request.relationshipKeyPathsForPrefetching = self.request.relationshipKeyPathsForPrefetching
    // An object that cannot be read now stays a fault, whose firing reports the error. The found
    // objects must be retained until the lookup.
    let found = (try? context.fetch(request)) ?? []
    return withExtendedLifetime(found) { ids.map { context.object(with: $0) } }
  }
}

extension ManagedObjectContext {
  /// Fetches the IDs of the matching objects now, and their rows in batches on access.
  public func fetchInBatches(_ request: FetchRequest) throws -> FetchedBatches {
    assertOnQueue()
    return try FetchedBatches(request, in: self)
  }
}
