public import ObjectGraph

/// The list on screen: a fetched results controller over all rows.
// @unchecked: used on the main queue only, like the main context.
public final class FetchedList: ListOnMain, @unchecked Sendable {
  private let controller: FetchedResultsController
  private let didChange: @Sendable (ListEvent) -> Void

  init(_ environment: TopologyEnvironment, in main: ManagedObjectContext, isRealised: Bool) {
    didChange = environment.listDidChange
    var request = FetchRequest(environment.entity, sortedBy: environment.sortTerms)
    request.returnsObjectsAsFaults = !isRealised && environment.realised != .all
    controller = FetchedResultsController(request, in: main)
    controller.onChange = { environment.listDidChange(.changes($0)) }
  }

  /// Fetches the list for the first time. Call it on the main queue.
  public func performFetch() throws {
    try controller.performFetch()
  }

  /// Resets the context and fetches the list again.
  public func resetAndFetch() throws {
    controller.context.reset()
    try controller.performFetch()
    didChange(.reload)
  }

  public var count: Int { controller.count }

  public func row(at index: Int) -> ContiguousArray<Value> {
    controller[index].allValues
  }

  public func objectID(at index: Int) -> ManagedObjectID { controller[index].objectID }
}
