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
