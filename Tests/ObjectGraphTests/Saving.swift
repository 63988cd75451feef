import ObjectGraph
import TestSupport
import Testing

extension ManagedObjectContext {
  /// The error of a save that must fail.
  func saveError(sourceLocation: SourceLocation = #_sourceLocation) -> SaveError? {
    #expect(throws: SaveError.self, sourceLocation: sourceLocation) { try save() }
  }

  /// - Returns: the did-save, for other contexts to merge.
  @discardableResult
  func saving(_ changes: () throws -> Void) throws -> DidSave {
    try performAndWait {
      let save = Heard<DidSave?>(nil)
      let observation = observeDidSave { save.value = $0 }
      defer { stopObserving(observation) }
      try changes()
      try self.save()
      return try #require(save.value)
    }
  }
}
