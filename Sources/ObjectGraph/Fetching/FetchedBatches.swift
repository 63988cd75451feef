/// The result of a fetch that knows all IDs and reads `batchSize` rows at a time on access.
///
/// Use it on its context's queue. It retains the objects that it has read. Copying it into an
/// `Array` reads everything. Everything is read at once on a child context, as in Core Data, and
/// for a sorted result with pending changes.
public final class FetchedBatches: RandomAccessCollection {
  public let context: ManagedObjectContext
  public let objectIDs: [ManagedObjectID]
  public let batchSize: Int
  let request: FetchRequest
  private var batches: [[ManagedObject]?]

  init(_ request: FetchRequest, in context: ManagedObjectContext) throws {
    self.context = context
    self.request = request
    if context.mayFetchInBatches(request) {
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

  /// The object at a position. It may be a fault, even one whose row is gone. Reads its batch if
  /// needed.
  public subscript(position: Int) -> ManagedObject {
    context.assertOnQueue()
    let number = position / batchSize
    if let batch = batches[number] { return batch[position % batchSize] }
    let batch = read(objectIDs[(number * batchSize)...].prefix(batchSize))
    batches[number] = batch
    return batch[position % batchSize]
  }

  /// Reads objects with one statement, and does not retain them.
  func read(_ ids: some Collection<ManagedObjectID>) -> [ManagedObject] {
    var request = FetchRequest(request.entity, where: .isSelf(in: ids.filter { !$0.isTemporary }))
    request.includesPendingChanges = false
    request.includesSubentities = self.request.includesSubentities
    request.returnsObjectsAsFaults = self.request.returnsObjectsAsFaults
    request.relationshipKeyPathsForPrefetching = self.request.relationshipKeyPathsForPrefetching
    // An unreadable object stays a fault, whose firing reports the error. Found objects must be
    // retained until the lookup.
    let found = (try? context.fetch(request)) ?? []
    return withExtendedLifetime(found) { ids.map { context.object(with: $0) } }
  }
}

extension ManagedObjectContext {
  func mayFetchInBatches(_ request: FetchRequest) -> Bool {
    guard case .coordinator = parent, request.batchSize > 0 else { return false }
    return !pendingObjects(of: request).changeOrder(of: request)
  }

  /// Fetches the IDs of the matching objects now, and their rows on access.
  public func fetchInBatches(_ request: FetchRequest) throws -> FetchedBatches {
    assertOnQueue()
    return try FetchedBatches(request, in: self)
  }
}
