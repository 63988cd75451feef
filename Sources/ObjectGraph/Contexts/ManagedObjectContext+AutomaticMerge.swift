import Queues

/// The contexts that automatically merge saves into one coordinator or parent.
///
/// Any thread may call it. Each context merges later, on its own queue.
public final class SaveListeners: Sendable {
  private let listeners = Lock<[WeakContext]>([])

  public init() {}

  func add(_ context: ManagedObjectContext) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.context == nil }
      listeners.append(WeakContext(context: context))
    }
  }

  /// The number of listeners. Some of their contexts may be deallocated.
  package var count: Int { listeners.withLock { $0.count } }

  func remove(_ context: ManagedObjectContext) {
    listeners.withLock { $0.removeAll { $0.context == nil || $0.context === context } }
  }

  func notify(_ save: DidSave) {
    for context in listeners.withLock({ $0.compactMap(\.context) }) where context !== save.context {
      context.perform { context.mergeAutomatically(fromContextDidSave: save) }
    }
  }
}

extension ManagedObjectContext {
  /// Whether this context merges other contexts' saves into its parent or coordinator, on its own
  /// queue, some time after the save. Off by default.
  ///
  /// A root context merges the saves of its coordinator's other contexts. A child merges its
  /// parent's saves.
  public var automaticallyMergesChangesFromParent: Bool {
    get { mergesAutomatically }
    set {
      assertOnQueue()
      guard newValue != mergesAutomatically else { return }
      mergesAutomatically = newValue
      let listeners = parentListeners
      if newValue { listeners.add(self) } else { listeners.remove(self) }
    }
  }

  private var parentListeners: SaveListeners {
    switch parent {
    case .coordinator(let coordinator): coordinator.saveListeners
    case .context(let parent): parent.childListeners
    }
  }

  func notifyAutomaticMergers(of save: DidSave) {
    childListeners.notify(save)
    if case .coordinator(let coordinator) = parent { coordinator.saveListeners.notify(save) }
  }
}
