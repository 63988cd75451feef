/// One attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  public let name: String
  public let type: AttributeType
  /// Whether null may be saved. A null in an attribute that is not optional fails validation.
  public let isOptional: Bool
  /// Whether the store keeps an index over this attribute.
  public let isIndexed: Bool

  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, isIndexed: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isIndexed = isIndexed
  }
}

/// One kind of object: a name and its attributes, in the order in which rows hold their values.
public final class Entity: Sendable {
  /// Changed attributes are kept in the bits of one word.
  public static let maximumAttributes = 64

  public let name: String
  public let attributes: [AttributeDescription]
  private let indexes: [String: Int]

  /// - Throws: `ModelError` if two attributes share a name, or there are none, or more than 64.
  public init(name: String, attributes: [AttributeDescription]) throws {
    guard (1...Entity.maximumAttributes).contains(attributes.count) else {
      throw ModelError.attributeCount(entity: name, count: attributes.count)
    }
    var indexes: [String: Int] = [:]
    for (index, attribute) in attributes.enumerated() {
      guard indexes.updateValue(index, forKey: attribute.name) == nil else {
        throw ModelError.repeatedName(attribute.name, in: name)
      }
    }
    self.name = name
    self.attributes = attributes
    self.indexes = indexes
  }

  /// Where rows hold the value of the attribute of this name; nil if there is none.
  public func index(of attribute: String) -> Int? {
    indexes[attribute]
  }
}

/// The entities of a store. Immutable once made, so that it can be read on any queue.
public final class Model: Sendable {
  public let entities: [Entity]

  /// - Throws: `ModelError` if two entities share a name.
  public init(_ entities: [Entity]) throws {
    var names: Set<String> = []
    for entity in entities where !names.insert(entity.name).inserted {
      throw ModelError.repeatedName(entity.name, in: "the model")
    }
    self.entities = entities
  }

  /// The place of an entity in `entities`, which is how object IDs name it.
  ///
  /// - Precondition: the entity belongs to this model.
  public func index(of entity: Entity) -> Int {
    guard let index = entities.firstIndex(where: { $0 === entity }) else {
      preconditionFailure("entity '\(entity.name)' does not belong to this model")
    }
    return index
  }
}

public enum ModelError: Error, Equatable, CustomStringConvertible {
  case attributeCount(entity: String, count: Int)
  case repeatedName(String, in: String)

  public var description: String {
    switch self {
    case .attributeCount(let entity, let count):
      "entity '\(entity)' has \(count) attributes; it may have 1 to \(Entity.maximumAttributes)"
    case .repeatedName(let name, let place):
      "'\(name)' is declared twice in \(place); rename one of them"
    }
  }
}
