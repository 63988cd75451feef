public import ObjectGraph

/// The list on screen. It fetches the environment's other lists too.
// @unchecked: used on the main queue only, like the main context.
public final class FetchedList: ListOnMain, @unchecked Sendable {
  private let controller: FetchedResultsController
  private let query: ListQuery
  private let didChange: @Sendable (ListEvent) -> Void
  private let others: [FetchedList]
  /// Whether the environment has this list. If not, it stays empty.
  private let exists: Bool

  convenience init(
    _ environment: TopologyEnvironment, in main: ManagedObjectContext, isRealised: Bool
  ) {
    let isRealised = isRealised || environment.realised == .all
    let others = environment.lists.dropFirst().map {
      FetchedList($0, in: main, isRealised: isRealised)
    }
    let none = ListDescription(ListQuery(environment.entity, sortedBy: []))
    self.init(
      environment.lists.first ?? none, in: main, isRealised: isRealised, others: others,
      exists: !environment.lists.isEmpty)
  }

  private init(
    _ list: ListDescription, in main: ManagedObjectContext, isRealised: Bool,
    others: [FetchedList] = [], exists: Bool = true
  ) {
    query = list.query
    didChange = list.didChange
    self.others = others
    self.exists = exists
    var request = query.request
    request.returnsObjectsAsFaults = !isRealised
    controller = FetchedResultsController(request, in: main, sections: query.sections)
    controller.onChange = { list.didChange(.changes($0)) }
  }

  /// Every list of the environment, starting with this one.
  public var all: [FetchedList] { exists ? [self] + others : [] }

  /// Fetches the lists for the first time. Call it on the main queue.
  public func performFetch() throws {
    for list in all { try list.controller.performFetch() }
  }

  /// Resets the context and fetches the lists again.
  public func resetAndFetch() throws {
    controller.context.reset()
    for list in all {
      try list.controller.performFetch()
      list.didChange(.reload)
    }
  }

  public var count: Int { controller.count }

  public func row(at index: Int) -> ContiguousArray<Value> {
    controller[index].allValues
  }

  public func cell(at index: Int) -> ContiguousArray<Value> {
    controller[index].cell(query)
  }

  public var sections: [ListSection] { query.sections == nil ? [] : controller.sections }

  public func objectID(at index: Int) -> ManagedObjectID { controller[index].objectID }
}

extension ManagedObject {
  /// The values in a cell of the list. Fires faults.
  func cell(_ query: ListQuery) -> ContiguousArray<Value> {
    query.related.isEmpty ? allValues : allValues + query.related.map { $0.value(of: self) }
  }
}

struct NoList: ListOnMain {
  var count: Int { 0 }
  func row(at index: Int) -> ContiguousArray<Value> { fatalError("there is no list") }
}
