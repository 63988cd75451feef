import Queues

/// The contexts that merge by themselves what others save into one place: a coordinator, or a parent.
///
/// Any thread may add, remove and tell; each context merges on its own queue, later.
public final class SaveListeners: Sendable {
  private struct Listener: Sendable {
    weak var context: ManagedObjectContext?
  }

  private let listeners = Lock<[Listener]>([])

  public init() {}

  func add(_ context: ManagedObjectContext) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.context == nil }
      listeners.append(Listener(context: context))
    }
  }

  /// How many are remembered, some of which may be gone.
  package var count: Int { listeners.withLock { $0.count } }

  func remove(_ context: ManagedObjectContext) {
    listeners.withLock { $0.removeAll { $0.context == nil || $0.context === context } }
  }

  func tell(_ save: DidSave) {
    for context in listeners.withLock({ $0.compactMap(\.context) }) where context !== save.context {
      context.perform { context.followChanges(fromContextDidSave: save) }
    }
  }
}

extension ManagedObjectContext {
  /// Whether this context merges what is saved into its parent or coordinator by others, on its own
  /// queue, some time after the save. Off by default.
  ///
  /// A root context follows the other contexts of its coordinator; a child follows the saves of its
  /// parent.
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

  func tellAutomaticMergers(of save: DidSave) {
    childListeners.tell(save)
    if case .coordinator(let coordinator) = parent { coordinator.saveListeners.tell(save) }
  }
}
