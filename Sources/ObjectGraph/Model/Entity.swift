// How an entity lays out what its objects hold. What is inherited comes first, so that a key made of
// an entity serves the objects of all its subentities:
//
//   Person                    columns  name · born · employer→        to-many  friends⇉
//     └ Employee              columns  name · born · employer→ · pay · desk→
//                                      ╰──── as in Person ───╯         to-many  friends⇉ · tasks⇉
//
// Attributes and to-one relationships are columns of the row; to-many relationships are faults of
// their own, and are counted by themselves.

/// What one place of a row holds.
public enum Column: Hashable, Sendable {
  case attribute(AttributeDescription)
  /// The ID of the target.
  case toOne(RelationshipDescription)

  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .toOne(let relationship): relationship.name
    }
  }

  public var isOptional: Bool {
    switch self {
    case .attribute(let attribute): attribute.isOptional
    case .toOne(let relationship): relationship.isOptional
    }
  }

  public var isTransient: Bool {
    if case .attribute(let attribute) = self { attribute.isTransient } else { false }
  }

  /// Nil for a relationship.
  public var attribute: AttributeDescription? {
    if case .attribute(let attribute) = self { attribute } else { nil }
  }

  /// Nil for an attribute.
  public var relationship: RelationshipDescription? {
    if case .toOne(let relationship) = self { relationship } else { nil }
  }

  /// Whether a value can stand here: null, or of the attribute's type, or the ID of an object.
  func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.toOne, .object): true
    case (.attribute(let attribute), _): value.type == attribute.type
    default: false
    }
  }

  var defaultValue: Value { attribute?.defaultValue ?? .null }
}

/// What an entity's objects do at turns of their life, as a subclass of Core Data's `NSManagedObject`
/// does by overriding the methods of these names. Called on the context's queue.
public struct EntityHooks: Sendable {
  public typealias Hook = @Sendable (ManagedObject) -> Void

  /// After an object was made.
  public var awakeFromInsert: Hook?
  /// After a fault was fired.
  public var awakeFromFetch: Hook?
  /// Before a save, for each object that it would send; called again for what it changes.
  public var willSave: Hook?
  /// After a save, for each object that it sent.
  public var didSave: Hook?
  /// Before the delete rules apply; again if the object is deleted again.
  public var prepareForDeletion: Hook?
  /// Conditions that a save has to meet, over more than one attribute.
  public var validate: (@Sendable (ManagedObject) throws -> Void)?

  public init() {}
}

/// One kind of object: what its rows hold, and what it is related to. Immutable.
public final class Entity: Sendable {
  /// Changed columns are kept in the bits of one word.
  public static let maximumColumns = 64

  public let name: String
  public let parent: Entity?
  /// Whether objects are of subentities only.
  public let isAbstract: Bool
  /// The places of a row, in order: what the parent has, then own attributes, then own to-one
  /// relationships.
  public let columns: [Column]
  /// The parent's to-many relationships, then the own ones.
  public let toManyRelationships: [RelationshipDescription]
  /// Lists of columns of which no two saved rows may hold the same values. Also the parent's.
  public let uniquenessConstraints: [[String]]
  public let hooks: EntityHooks
  /// What migration finds this entity by in an older model; its name if nil.
  public let renamingIdentifier: String?

  /// How many columns, and how many to-many relationships, are inherited.
  let inherited: (columns: Int, toMany: Int)
  let defaults: ContiguousArray<Value>
  private let columnIndexes: [String: Int]
  private let toManyIndexes: [String: Int]

  /// - Throws: `ModelError` if two properties share a name, there are no columns or more than 64, or
  ///   a constraint names something else than a column.
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
    guard (1...Entity.maximumColumns).contains(columns.count) else {
      throw ModelError.columnCount(entity: name, count: columns.count)
    }
    try ModelError.checkUnique(columns.map(\.name) + toMany.map(\.name), in: name)
    try ModelError.checkPatterns(of: attributes, in: name)
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.columns = columns
    self.toManyRelationships = toMany
    self.uniquenessConstraints = (parent?.uniquenessConstraints ?? []) + uniquenessConstraints
    self.hooks = hooks
    self.renamingIdentifier = renamingIdentifier
    self.inherited = (parent?.columns.count ?? 0, parent?.toManyRelationships.count ?? 0)
    self.defaults = ContiguousArray(columns.map(\.defaultValue))
    self.columnIndexes = Self.indexes(columns.map(\.name))
    self.toManyIndexes = Self.indexes(toMany.map(\.name))
    for name in self.uniquenessConstraints.joined() where columnIndexes[name] == nil {
      throw ModelError.unknownConstraint(entity: self.name, column: name)
    }
  }

  private static func indexes(_ names: [String]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// Where rows hold the attribute or to-one relationship of this name; nil if there is none.
  public func index(of column: String) -> Int? { columnIndexes[column] }

  /// The place of the to-many relationship of this name in `toManyRelationships`; nil if there is none.
  public func toManyIndex(of relationship: String) -> Int? { toManyIndexes[relationship] }

  /// All attributes, the inherited ones first.
  public var attributes: [AttributeDescription] { columns.compactMap(\.attribute) }

  /// Whether this is `other` or one of its subentities.
  public func isKind(of other: Entity) -> Bool {
    self === other || parent?.isKind(of: other) == true
  }
}
