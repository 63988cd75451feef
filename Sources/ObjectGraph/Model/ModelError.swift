/// Why entities do not form a model.
public enum ModelError: Error, Equatable, CustomStringConvertible {
  case columnCount(entity: String, count: Int)
  case repeatedName(String, in: String)
  case unknownConstraint(entity: String, column: String)
  case badPattern(String, attribute: String, entity: String)
  case missingParent(entity: String, parent: String)
  case unknownDestination(entity: String, relationship: String, destination: String)
  case noInverse(entity: String, relationship: String)
  case wrongInverse(entity: String, relationship: String, inverse: String)

  public var description: String {
    switch self {
    case .columnCount(let entity, let count):
      "entity '\(entity)' has \(count) attributes and to-one relationships; it may have 1 to "
        + "\(AttributeMask.maximumColumns)"
    case .repeatedName(let name, let place):
      "'\(name)' is declared twice in \(place); rename one of them"
    case .unknownConstraint(let entity, let column):
      "a uniqueness constraint of '\(entity)' names '\(column)', which is no attribute or to-one "
        + "relationship of it"
    case .badPattern(let pattern, let attribute, let entity):
      "the pattern '\(pattern)' of '\(entity).\(attribute)' is no regular expression; correct it"
    case .missingParent(let entity, let parent):
      "'\(entity)' inherits from '\(parent)', which is not in the model; add it"
    case .unknownDestination(let entity, let relationship, let destination):
      "'\(entity).\(relationship)' leads to '\(destination)', which is not in the model; add it"
    case .noInverse(let entity, let relationship):
      "'\(entity).\(relationship)' is to-many and has no inverse; name the relationship that leads "
        + "back"
    case .wrongInverse(let entity, let relationship, let inverse):
      "the inverse '\(inverse)' of '\(entity).\(relationship)' does not exist or does not lead back; "
        + "make each the inverse of the other"
    }
  }

  static func checkPatterns(of attributes: [AttributeDescription], in entity: String) throws {
    for attribute in attributes {
      guard let pattern = attribute.validation.pattern else { continue }
      do { _ = try Regex(pattern) } catch {
        throw ModelError.badPattern(pattern, attribute: attribute.name, entity: entity)
      }
    }
  }

  static func indexes(of names: [String], in place: String) throws -> [String: Int] {
    try names.enumerated().reduce(into: [:]) { indexes, name in
      guard indexes.updateValue(name.offset, forKey: name.element) == nil else {
        throw ModelError.repeatedName(name.element, in: place)
      }
    }
  }
}
