import ObjectGraph

/// The kind of an expression's values in SQL.
enum ValueKind {
  case attribute(AttributeType)
  /// Objects of the hierarchy of the entity at this index of the model.
  case object(Int)

  var type: AttributeType? {
    if case .attribute(let type) = self { type } else { nil }
  }

  var name: String { type?.rawValue ?? "relationship" }

  /// Whether a row can hold the value. Null is no value.
  func canHold(_ value: Value, in model: Model) -> Bool {
    switch self {
    case .attribute(let type): return value.type == type && !value.isNotANumber
    case .object(let index):
      guard let id = value.objectID, !id.isTemporary else { return false }
      return model.resolved[Int(id.entityIndex)].root == model.resolved[index].root
    }
  }
}
