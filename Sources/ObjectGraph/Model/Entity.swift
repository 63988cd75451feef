// Inherited properties come first in a row, so a parent's keys also work for its subentities:
//
//   Person                    columns  name · born · employer→        to-many  friends⇉
//     └ Employee              columns  name · born · employer→ · pay · desk→
//                                      ╰──── as in Person ───╯         to-many  friends⇉ · tasks⇉
//
// Attributes and to-one relationships are columns. To-many relationships are separate faults.

/// Hooks of an entity's objects, named as in Core Data's `NSManagedObject`. They run on the
/// context's queue, after the parent entities' hooks.
///
/// Hooks may run while a save locks out all other writers. They must not save, and must not wait
/// for another queue.
public struct EntityHooks: Sendable {
  public typealias Hook = @Sendable (ManagedObject) -> Void
  public typealias Validation = @Sendable (ManagedObject) throws -> Void

  /// After an object is inserted.
  public var awakeFromInsert: Hook?
  /// After an object is realised. Changes by the hook are not saved, and affect no inverse.
  public var awakeFromFetch: Hook?
  /// Before a save, for each object that it would send; again for objects that change during the
  /// save.
  public var willSave: Hook?
  /// After a save, for each object that it sent. A deleted object is still `isDeleted`.
  public var didSave: Hook?
  /// Before the delete rules apply, and before a merge deletes a realised object.
  public var prepareForDeletion: Hook?
  /// Checks conditions over several attributes before a save. If it changes other objects, the save
  /// validates and sends them too.
  public var validate: Validation?

  public init() {}
}

extension EntityHooks {
  fileprivate func following(_ parent: EntityHooks) -> EntityHooks {
    var hooks = self
    for hook in [
      \Self.awakeFromInsert, \.awakeFromFetch, \.willSave, \.didSave, \.prepareForDeletion,
    ] {
      guard let first = parent[keyPath: hook] else { continue }
      guard let second = self[keyPath: hook] else {
        hooks[keyPath: hook] = first
        continue
      }
      hooks[keyPath: hook] = { object in
        first(object)
        second(object)
      }
    }
    if let first = parent.validate {
      hooks.validate = { [validate] object in
        try first(object)
        try validate?(object)
      }
    }
    return hooks
  }
}

/// A kind of object. Immutable.
///
/// Example: `Snippets/open-and-save.swift`.
public final class Entity: Sendable {
  public let name: String
  public let parent: Entity?
  /// Whether only subentities can have objects.
  public let isAbstract: Bool
  /// The parent's, then own attributes, then own to-one relationships.
  public let columns: [Column]
  /// The parent's, then own ones.
  public let toManyRelationships: [RelationshipDescription]
  /// Columns whose values must be unique together. Includes the parent's lists.
  public let uniquenessConstraints: [[String]]
  public let hooks: EntityHooks
  /// Finds the entity in an older model. Defaults to the name.
  public let renamingIdentifier: String?

  let defaults: ContiguousArray<Value>
  /// Indexes by name: first of the columns, then of the to-many relationships.
  private let indexes: [String: Int]

  /// - Throws: `ModelError` for repeated property names, for no columns or more than 64, and for a
  ///   constraint that names no column.
  public init(
    name: String, parent: Entity? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    uniquenessConstraints: [[String]] = [], hooks: EntityHooks = EntityHooks(),
    renamingIdentifier: String? = nil
  ) throws {
    let columns =
      (parent?.columns ?? []) + attributes.map(Column.attribute)
      + relationships.filter { !$0.isToMany }.map(Column.toOne)
    let toMany = (parent?.toManyRelationships ?? []) + relationships.filter(\.isToMany)
    guard (1...AttributeMask.maximumColumns).contains(columns.count) else {
      throw ModelError.columnCount(entity: name, count: columns.count)
    }
    self.indexes = try ModelError.indexes(of: columns.map(\.name) + toMany.map(\.name), in: name)
    try ModelError.checkPatterns(of: attributes, in: name)
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.columns = columns
    self.toManyRelationships = toMany
    self.uniquenessConstraints = (parent?.uniquenessConstraints ?? []) + uniquenessConstraints
    self.hooks = parent.map { hooks.following($0.hooks) } ?? hooks
    self.renamingIdentifier = renamingIdentifier
    self.defaults = ContiguousArray(columns.map(\.defaultValue))
    for name in self.uniquenessConstraints.joined() where index(of: name) == nil {
      throw ModelError.unknownConstraint(entity: self.name, column: name)
    }
  }

  public func index(of column: String) -> Int? {
    indexes[column].flatMap { $0 < columns.count ? $0 : nil }
  }

  /// The index in `toManyRelationships`.
  public func toManyIndex(of relationship: String) -> Int? {
    indexes[relationship].flatMap { $0 < columns.count ? nil : $0 - columns.count }
  }

  /// Inherited attributes come first.
  public var attributes: [AttributeDescription] { columns.compactMap(\.attribute) }

  /// Also true for subentities of `other`.
  public func isKind(of other: Entity) -> Bool {
    self === other || parent?.isKind(of: other) == true
  }
}
