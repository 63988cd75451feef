import ObjectGraph
import Support
import Workload

/// Reads a scenario's predicates and key paths, which begin at an entity. Errors name the field.
struct ModelQuery {
  let entity: Entity
  let model: Model
  let scenario: Scenario

  /// Nil without a format.
  ///
  /// - Parameter text: stands for `$text`; nil if there is none.
  func predicate(
    _ format: String?, of field: String, text: String? = nil
  ) throws(InputError) -> FetchPredicate? {
    guard let format else { return nil }
    do {
      return try FetchPredicate(
        format: format, entity, in: model, arguments: [],
        variables: text.map { ["text": $0] } ?? [:])
    } catch {
      throw scenario.error(field, message: "\(error)".oneLine)
    }
  }

  /// A predicate that a row's own attributes decide.
  func rowPredicate(_ format: String?, of field: String) throws(InputError) -> FetchPredicate? {
    let predicate = try predicate(format, of: field)
    guard predicate?.followsRelationship != true else {
      throw scenario.error(
        field, message: "may only compare attributes of \(entity.name), not relationships")
    }
    return predicate
  }

  func paths(_ names: [String], of field: String) throws(InputError) -> [PredicatePath] {
    var paths: [PredicatePath] = []
    for name in names {
      let names = name.split(separator: ".").map(String.init)
      paths.append(PredicatePath(try follow(names[...], of: field).steps))
    }
    return paths
  }

  /// - Returns: the relationships, and the entity at their end.
  func follow(
    _ names: ArraySlice<String>, of field: String
  ) throws(InputError) -> (steps: [RelationshipEnd], end: Entity) {
    var (entity, steps) = (entity, [RelationshipEnd]())
    for name in names {
      guard let (step, destination) = entity.step(name) else {
        let known = entity.relationships.map(\.name)
        throw scenario.error(
          field,
          message: "\(entity.name) has no relationship \(name.quoted)."
            + "\(NearestName.hint(for: name, in: known)) Known: "
            + (known.isEmpty ? "none" : known.joined(separator: ", ")))
      }
      steps.append(step)
      entity = model.entities.first { $0.name == destination } ?? entity
    }
    return (steps, entity)
  }
}

extension FetchPredicate {
  /// Whether a row's own attributes do not decide it.
  var followsRelationship: Bool {
    switch self {
    case .true, .false, .compare, .isIn: false
    case .some: true
    case .test(let test): [test.left, test.right].contains(where: \.followsRelationship)
    case .and(let parts), .or(let parts): parts.contains(where: \.followsRelationship)
    case .not(let part): part.followsRelationship
    }
  }
}

extension FetchExpression {
  fileprivate var followsRelationship: Bool {
    switch self {
    case .constant, .values: false
    case .path(let path): path.ownColumn == nil
    case .count: true
    }
  }
}

extension Entity {
  fileprivate var relationships: [RelationshipDescription] {
    columns.compactMap(\.relationship) + toManyRelationships
  }

  fileprivate func step(_ name: String) -> (RelationshipEnd, destination: String)? {
    if let column = index(of: name), let toOne = columns[column].relationship {
      return (.toOne(column: column), toOne.destination)
    }
    return toManyIndex(of: name).map { (.toMany($0), toManyRelationships[$0].destination) }
  }
}
