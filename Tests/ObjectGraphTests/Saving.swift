import ObjectGraph
import Testing

extension ManagedObjectContext {
  /// - Returns: the did-save, for other contexts to merge.
  @discardableResult
  func saving(_ changes: () throws -> Void) throws -> DidSave {
    try performAndWait {
      var save: DidSave?
      let observation = observeDidSave { save = $0 }
      defer { stopObserving(observation) }
      try changes()
      try self.save()
      return try #require(save)
    }
  }
}
