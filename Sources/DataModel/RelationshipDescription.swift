/// What happens to the objects that a deleted object is related to. The context applies it when it
/// processes pending changes.
public enum DeleteRule: String, CaseIterable, Sendable {
  /// They lose their relationship to it.
  case nullify
  /// They are deleted too.
  case cascade
  /// The save fails while such objects exist (Core Data's error 1600).
  case deny
  /// They keep the ID of a deleted row.
  case noAction = "no-action"
}

/// One relationship of an entity, seen from one side.
///
/// A row holds the ID of a to-one target. A to-many relationship is a fault of its own and needs an
/// inverse. The store holds it in the inverse's column (one-to-many) or in a table of pairs
/// (many-to-many).
public struct RelationshipDescription: Hashable, Sendable {
  public let name: String
  /// The entity at the other end; the objects may be of its subentities.
  public let destination: String
  /// The destination's relationship back to this entity.
  public let inverse: String?
  public let isToMany: Bool
  /// Whether it may be empty when saved.
  public let isOptional: Bool
  public let deleteRule: DeleteRule
  /// The least and the greatest number of objects in a to-many relationship, checked on save. An
  /// optional relationship may also be empty.
  public let minimumCount: Int
  public let maximumCount: Int?
  /// Finds this relationship in an older model when migrating; its name if nil.
  public let renamingIdentifier: String?

  public static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, renamingIdentifier: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: false,
      isOptional: isOptional, deleteRule: deleteRule, minimumCount: 0, maximumCount: 1,
      renamingIdentifier: renamingIdentifier)
  }

  public static func toMany(
    _ name: String, _ destination: String, inverse: String, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int? = nil,
    renamingIdentifier: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: true,
      isOptional: isOptional, deleteRule: deleteRule, minimumCount: minimumCount,
      maximumCount: maximumCount, renamingIdentifier: renamingIdentifier)
  }
}

package enum RelationshipEnd: Hashable, Sendable {
  case toOne(column: Int)
  case toMany(Int)
}
