import ObjectGraph

enum ValueKind {
  case attribute(AttributeType)
  /// Of the hierarchy of the entity at this index of the model.
  case object(Int)

  var type: AttributeType? {
    if case .attribute(let type) = self { type } else { nil }
  }

  var name: String { type?.rawValue ?? "relationship" }

  /// Null is no value.
  func canHold(_ value: Value, in model: Model) -> Bool {
    switch self {
    case .attribute(let type): return value.type == type && !value.isNotANumber
    case .object(let index):
      guard let id = value.objectID, !id.isTemporary else { return false }
      return model.resolved[Int(id.entityIndex)].root == model.resolved[index].root
    }
  }
}
