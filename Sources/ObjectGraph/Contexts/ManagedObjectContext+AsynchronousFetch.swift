import Queues

// A fetch that does not occupy its context's queue while the SQL runs:
//
//   context    ──fetch──┐  other blocks    ┌── create objects, apply pending changes, completion
//                       ▼                  │
//   another thread      └── rows ── SQL ───┘

/// An asynchronous fetch in progress.
public final class AsynchronousFetch: Sendable {
  private let cancelled = Lock(false)

  init() {}

  /// The fetch fails with `CancellationError`, unless its objects already exist. Running SQL is not
  /// interrupted.
  public func cancel() { cancelled.withLock { $0 = true } }

  public var isCancelled: Bool { cancelled.withLock { $0 } }
}

extension ManagedObjectContext {
  /// Returns at once. The SQL runs on another thread. Then, on this context's queue, the objects
  /// are created, pending changes are applied to the result, and `completion` runs. If changes made
  /// meanwhile may leave a limited result too short, the SQL runs again. Relationships are not
  /// prefetched.
  @discardableResult
  public func fetchAsynchronously(
    _ request: FetchRequest,
    completion: @escaping @Sendable (Result<[ManagedObject], any Error>) -> Void
  ) -> AsynchronousFetch {
    assertOnQueue()
    let fetch = AsynchronousFetch()
    start(fetch, request, completion: completion)
    return fetch
  }

  private func start(
    _ fetch: AsynchronousFetch, _ request: FetchRequest,
    completion: @escaping @Sendable (Result<[ManagedObject], any Error>) -> Void
  ) {
    let request = request.naming(permanentIDs.byTemporaryID)
    let pending = pendingObjects(of: request)
    let expected = pending.count
    let stored = requestForParent(request, pending).withoutPrefetching
    let source = Result { try rowSource(stored) }
    asynchronousQueue.async { [self] in
      let rows = Result { try source.get()() }
      perform { [self] in
        if !fetch.isCancelled, let found = try? rows.get(), found.count == stored.limit,
          pendingObjects(of: request).count > expected
        {
          // Objects changed meanwhile may leave the result. The limit may have cut off the rows
          // that replace them.
          coordinator.unregister(found.map(\.id))
          start(fetch, request, completion: completion)
        } else {
          completion(Result { try objects(of: rows.get(), for: request, fetch) })
        }
      }
    }
  }

  private func objects(
    of rows: [FetchedRow], for request: FetchRequest, _ fetch: AsynchronousFetch
  ) throws -> [ManagedObject] {
    guard !fetch.isCancelled else {
      coordinator.unregister(rows.map(\.id))
      throw CancellationError()
    }
    return Activity.slice(.fetch) {
      sweepRegistry()
      adoptAllPermanentIDs()
      var objects = materialise(rows, asFaults: request.leavesFaults)
      let pending = pendingObjects(of: request)
      if !pending.isEmpty { overlay(pending, on: &objects, for: request) }
      return objects
    }
  }

  /// Returns a closure that reads the rows on any thread and registers each once for this context.
  private func rowSource(_ request: FetchRequest) throws -> @Sendable () throws -> [FetchedRow] {
    switch parent {
    case .coordinator(let coordinator):
      let reader = try reader(coordinator)
      return { [self] in try registeredRows(request, by: reader) }
    case .context(let parent):
      var request = request
      request.returnsObjectsAsFaults = false
      request.includesPropertyValues = true
      return { [request, coordinator] in
        let rows = try parent.performAndWait {
          try parent.fetch(request).map {
            FetchedRow(id: $0.objectID, snapshot: $0.currentSnapshot)
          }
        }
        coordinator.register(rows.map(\.id))
        return rows
      }
    }
  }
}
