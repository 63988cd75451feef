/// A column of a row.
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

  package func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.toOne, .object): true
    case (.attribute(let attribute), _): value.type == attribute.type
    default: false
    }
  }

  package var defaultValue: Value { attribute?.defaultValue ?? .null }
}
