/// How a save resolves conflicts with other contexts' changes, as in Core Data (`NSMergePolicy.h`).
///
/// Example: `Snippets/merge-two-contexts.swift`.
public enum MergePolicy: String, CaseIterable, Sendable {
  /// The save fails and reports the conflicts.
  case error
  /// The store's value wins where both sides changed a property. Other edits stay.
  case storeTrump = "store-trump"
  /// The local value wins where both sides changed a property. The store's other changes stay.
  case objectTrump = "object-trump"
  /// The whole local row is written.
  case overwrite
  /// The object takes the store's row and loses its edits.
  case rollback

  var prefersObject: Bool { self == .objectTrump || self == .overwrite }
}

/// Settles the conflicts of a save in an app's own way, like a subclass of Core Data's
/// `NSMergePolicy`. It may edit or delete the objects before and after `applyPolicy`, which does
/// what the context's policy does alone, or throw.
///
/// Called on the context's queue, and again while conflicts remain. The store may be locked: do not
/// save there.
public typealias ConflictHandler =
  @Sendable (
    _ context: ManagedObjectContext, _ conflicts: SaveError, _ applyPolicy: () throws -> Void
  ) throws -> Void
