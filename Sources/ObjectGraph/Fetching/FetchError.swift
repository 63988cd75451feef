/// Why a store cannot answer a request.
public enum FetchError: Error, Equatable, CustomStringConvertible {
  /// No store holds a transient attribute, so none can compare or sort by it.
  case transient(entity: String, attribute: String, use: Use)

  /// How a request uses an attribute.
  public enum Use: String, Sendable {
    case predicate, order, dictionary
  }

  public var description: String {
    switch self {
    case .transient(let entity, let attribute, let use):
      "'\(entity).\(attribute)' is transient and in no store, so \(use.advice), "
        + "or make the attribute persistent"
    }
  }
}

extension FetchError.Use {
  fileprivate var advice: String {
    switch self {
    case .predicate:
      "a fetch cannot compare it; fetch without it and filter the objects (FetchPredicate.matches)"
    case .order: "a fetch cannot be sorted by it; fetch without it and sort the objects"
    case .dictionary: "a fetch of dictionaries cannot read, sum up or group by it; fetch objects"
    }
  }
}

extension FetchRequest {
  /// - Throws: `FetchError.transient`.
  package func checkIsStored(in model: Model) throws {
    let check = StoredPropertyCheck(model, entity)
    if let predicate { try check.check(predicate) }
    for term in sortTerms { try check.check(term.path, .order) }
  }
}

extension DictionaryRequest {
  /// `having` and the sort terms name result properties and need no check.
  package func checkIsStored(in model: Model) throws {
    let check = StoredPropertyCheck(model, entity)
    if let predicate { try check.check(predicate) }
    for path in properties.compactMap(\.path) + groupBy { try check.check(path, .dictionary) }
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

private struct StoredPropertyCheck {
  private let model: Model
  private let hasTransients: Bool
  /// The entities of nested predicates, outermost first.
  private var scopes: [ResolvedEntity]

  init(_ model: Model, _ entity: Entity) {
    self.model = model
    self.hasTransients = model.resolved.contains { !$0.transients.isEmpty }
    self.scopes = [model.resolved(entity)]
  }

  func check(_ predicate: FetchPredicate) throws {
    guard hasTransients else { return }
    switch predicate {
    case .true, .false: break
    case .compare(let column, _, _), .isIn(let column, _):
      try check(PredicatePath(column: column), .predicate)
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
    case .path(let path): try check(path, .predicate)
    case .count(let path, let predicate): try check(predicate, ofObjectsAt: path)
    }
  }

  private func check(_ predicate: FetchPredicate, ofObjectsAt path: PredicatePath) throws {
    var inner = self
    inner.scopes.append(destination(of: path.allSteps, from: path.level))
    try inner.check(predicate)
  }

  func check(_ path: PredicatePath, _ use: FetchError.Use) throws {
    guard hasTransients, let column = path.column else { return }
    let entity = destination(of: path.steps, from: path.level)
    guard entity.transients.contains(AttributeMask(index: column)) else { return }
    throw FetchError.transient(
      entity: entity.entity.name, attribute: entity.entity.columns[column].name, use: use)
  }

  private func destination(of steps: [RelationshipEnd], from level: Int) -> ResolvedEntity {
    steps.reduce(scopes[scopes.count - 1 - level]) {
      model.resolved[$0.relationship(at: $1).destination]
    }
  }
}
