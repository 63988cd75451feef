/// The reason why a store cannot answer a request.
public enum FetchError: Error, Equatable, CustomStringConvertible {
  /// The attribute is transient. The store does not hold it, so it can neither compare nor sort by
  /// it.
  case transient(entity: String, attribute: String, use: Use)

  /// How a request uses an attribute.
  public enum Use: String, Sendable {
    case predicate, order, dictionary
  }

  public var description: String {
    switch self {
    case .transient(let entity, let attribute, let use):
      "'\(entity).\(attribute)' is transient and in no store, so \(use.refusal); "
        + "\(use.remedy), or make the attribute persistent"
    }
  }
}

extension FetchError.Use {
  fileprivate var refusal: String {
    switch self {
    case .predicate: "a fetch cannot compare it"
    case .order: "a fetch cannot be sorted by it"
    case .dictionary: "a fetch of dictionaries cannot read, sum up or group by it"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .predicate: "fetch without it and filter the objects (FetchPredicate.matches)"
    case .order: "fetch without it and sort the objects"
    case .dictionary: "fetch objects"
    }
  }
}

extension FetchRequest {
  /// - Throws: `FetchError.transient` if the request uses an attribute that no store holds.
  package func checkIsStored(in model: Model) throws {
    guard model.hasTransients else { return }
    let entity = model.resolved(entity)
    if let predicate { try StoredPropertyCheck(model, entity, .predicate).check(predicate) }
    let order = StoredPropertyCheck(model, entity, .order)
    for term in sortTerms { try order.check(term.path) }
  }
}

extension DictionaryRequest {
  /// Like a `FetchRequest`. `having` and the sort terms refer to result properties, so they need no
  /// check.
  package func checkIsStored(in model: Model) throws {
    guard model.hasTransients else { return }
    let entity = model.resolved(entity)
    if let predicate { try StoredPropertyCheck(model, entity, .predicate).check(predicate) }
    let result = StoredPropertyCheck(model, entity, .dictionary)
    for path in properties.compactMap(\.path) + groupBy { try result.check(path) }
  }
}

extension BatchRequest {
  package func checkIsStored(in model: Model) throws {
    switch operation {
    case .update(let request, _), .delete(let request): try request.checkIsStored(in: model)
    case .insert, .deleteObjects: break
    }
  }
}

extension Model {
  fileprivate var hasTransients: Bool { resolved.contains { !$0.transients.isEmpty } }
}

/// Checks all attributes that a request names.
private struct StoredPropertyCheck {
  private let model: Model
  private let use: FetchError.Use
  /// The entities of the nested predicates, the outermost first.
  private var scopes: [ResolvedEntity]

  init(_ model: Model, _ entity: ResolvedEntity, _ use: FetchError.Use) {
    self.model = model
    self.use = use
    self.scopes = [entity]
  }

  func check(_ predicate: FetchPredicate) throws {
    switch predicate {
    case .true, .false: break
    case .compare(let column, _, _), .isIn(let column, _):
      try check(column, of: scopes[scopes.count - 1])
    case .test(let test):
      try check(test.left)
      try check(test.right)
    case .some(let path, let part): try check(part, ofObjectsAt: path)
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    case .not(let part): try check(part)
    }
  }

  private func check(_ expression: FetchExpression) throws {
    switch expression {
    case .constant, .values: break
    case .path(let path): try check(path)
    case .count(let path, let predicate): try check(predicate, ofObjectsAt: path)
    }
  }

  private func check(_ predicate: FetchPredicate, ofObjectsAt path: PredicatePath) throws {
    var inner = self
    inner.scopes.append(destination(of: path))
    try inner.check(predicate)
  }

  func check(_ path: PredicatePath) throws {
    guard let column = path.column else { return }
    try check(column, of: destination(of: path, withColumn: false))
  }

  private func check(_ column: Int, of entity: ResolvedEntity) throws {
    guard entity.transients.contains(AttributeMask(index: column)) else { return }
    throw FetchError.transient(
      entity: entity.entity.name, attribute: entity.entity.columns[column].name, use: use)
  }

  /// - Parameter withColumn: whether to follow the path's column if it is a to-one relationship.
  private func destination(of path: PredicatePath, withColumn: Bool = true) -> ResolvedEntity {
    (withColumn ? path.allSteps : path.steps).reduce(scopes[scopes.count - 1 - path.level]) {
      model.resolved[$0.relationship(at: $1).destination]
    }
  }
}
