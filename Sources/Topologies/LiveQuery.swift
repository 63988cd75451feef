import ObjectGraph

// @unchecked: used on the context's queue only.
final class LiveQuery: ListOnMain, @unchecked Sendable {
  private let context: ManagedObjectContext
  private let request: FetchRequest
  private let didChange: @Sendable (ListEvent) -> Void
  private var objects: [ManagedObject] = []

  init(_ list: ListDescription, in context: ManagedObjectContext) {
    self.context = context
    didChange = list.didChange
    var request = FetchRequest(list.entity, sortedBy: list.sortTerms)
    request.returnsObjectsAsFaults = false
    self.request = request
  }

  /// Fetches the list, and refreshes results whose rows are newer.
  func fetch() throws {
    let objects = try context.fetch(request)
    try context.refreshOutdated(objects)
    self.objects = objects
  }

  func fetchAgain() throws {
    try fetch()
    didChange(.reload)
  }

  var count: Int { objects.count }

  func row(at index: Int) -> ContiguousArray<Value> { objects[index].allValues }
}

// @unchecked: used on the context's queue only.
final class LiveQueries: @unchecked Sendable {
  let all: [LiveQuery]
  /// The objects of the last lookup, retained as by a detail screen.
  var lookedUp: [ManagedObject] = []

  init(_ all: [LiveQuery]) {
    self.all = all
  }

  func fetchAgain() throws {
    for query in all { try query.fetchAgain() }
  }
}
