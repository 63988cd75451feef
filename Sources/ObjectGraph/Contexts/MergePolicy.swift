/// How a save resolves conflicts with rows that another context changed since this one read them.
///
/// The policies are Core Data's (`NSMergePolicy.h`).
public enum MergePolicy: String, CaseIterable, Sendable {
  /// The save fails and reports the conflicts. The default.
  case error
  /// For properties that both sides changed, the store's value wins. Other local edits stay.
  case storeTrump = "store-trump"
  /// For properties that both sides changed, the local value wins. The store's other changes stay.
  case objectTrump = "object-trump"
  /// The whole local row is written.
  case overwrite
  /// Local edits are dropped, and the object takes the store's row.
  case rollback

  /// Whether the local value wins if both sides changed a property.
  var prefersObject: Bool { self == .objectTrump || self == .overwrite }
}
