import ObjectGraph
import Queues

// @unchecked: `controller` and `mapped` are confined to the observer's queue, `snapshot` to main.
final class SnapshotList: ListOnMain, @unchecked Sendable {
  private let observer: ManagedObjectContext
  private let controller: FetchedResultsController
  private let main: any SerialQueue
  /// Whether main has no snapshot but reads by `performAndWait`.
  private let mainWaits: Bool
  private let didChange: @Sendable (ListEvent) -> Void
  private var mapped: [ContiguousArray<Value>] = []
  private var snapshot: [ContiguousArray<Value>] = []

  init(
    _ list: ListDescription, on observer: ManagedObjectContext, for main: any SerialQueue,
    mainWaits: Bool
  ) {
    self.observer = observer
    self.main = main
    self.mainWaits = mainWaits
    didChange = list.didChange
    var request = FetchRequest(list.entity, sortedBy: list.sortTerms)
    request.returnsObjectsAsFaults = false
    controller = FetchedResultsController(request, in: observer)
    controller.onChange = { [unowned self] in handOver($0) }
  }

  /// Call it on the observer's queue.
  func performFetch() throws {
    try controller.performFetch()
    handOver(nil)
  }

  /// - Parameter changes: nil for the first list.
  private func handOver(_ changes: ListChanges?) {
    let rows = controller.fetchedObjects.map(\.allValues)
    if mainWaits { mapped = rows }
    main.async { [self] in
      Activity.slice(.list) {
        if !mainWaits { snapshot = rows }
        guard let changes else { return }
        Activity.count(.listChanges, changes.count)
        didChange(.changes(changes))
      }
    }
  }

  private func read<R>(_ body: ([ContiguousArray<Value>]) -> R) -> R {
    mainWaits ? observer.performAndWait { body(mapped) } : body(snapshot)
  }

  var count: Int { read(\.count) }

  /// While main waits, the list may become shorter between two reads. A missing row reads as empty.
  func row(at index: Int) -> ContiguousArray<Value> {
    read { $0.indices.contains(index) ? $0[index] : [] }
  }
}
