extension ManagedObjectContext {
  /// Merges others' saves into the parent or coordinator, on this context's queue, some time after
  /// the save.
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
