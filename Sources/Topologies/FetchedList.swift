import ObjectGraph

/// The list on screen: a fetched results controller over all rows.
// @unchecked: used on the main queue only, as the main context that it follows.
final class FetchedList: ListOnMain, @unchecked Sendable {
  private let controller: FetchedResultsController
  private let didChange: @Sendable (ListEvent) -> Void

  init(_ environment: TopologyEnvironment, in main: ManagedObjectContext, isRealised: Bool) {
    didChange = environment.listDidChange
    var request = FetchRequest(environment.entity, sortedBy: environment.sortDescriptors)
    request.returnsObjectsAsFaults = !isRealised && environment.realised != .all
    controller = FetchedResultsController(request, in: main)
    controller.onChange = { environment.listDidChange(.changes($0)) }
  }

  func performFetch() throws {
    try controller.performFetch()
  }

  /// Lets go of all that the context knows and fetches the list anew.
  func resetAndFetch() throws {
    controller.context.reset()
    try controller.performFetch()
    didChange(.reload)
  }

  var count: Int { controller.count }

  func row(at index: Int) -> ContiguousArray<Value> {
    controller[index].allValues
  }

  func objectID(at index: Int) -> ManagedObjectID { controller[index].objectID }
}
