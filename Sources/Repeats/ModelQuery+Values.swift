import ObjectGraph
import Support
import Workload

// The paths of `list.reads`:
//
//   country.name               to-one relationships, then an attribute
//   orders.@count              a to-many relationship at the end
//   orders.last(-date).total   its last object in this order, then an attribute

extension ModelQuery {
  func values(_ paths: [String], of field: String) throws(InputError) -> [RelatedValue] {
    var values: [RelatedValue] = []
    for path in paths { values.append(try value(path, of: field)) }
    return values
  }

  private func value(_ path: String, of field: String) throws(InputError) -> RelatedValue {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let last = names.last, names.count > 1 else {
      throw error(field, path, "a cell reads its row anyway; name a relationship first")
    }
    if last == "@count" {
      let (steps, _) = try follow(names.dropLast(), of: field)
      return RelatedValue(.count(try toMany(steps, of: field, path)))
    }
    if let order = names.dropLast().last?.wholeMatch(of: /last\((-?)(\w+)\)/)?.output {
      let (steps, end) = try follow(names.dropLast(2), of: field)
      let term = try column(String(order.2), of: end, field, path)
      return RelatedValue(
        .last(
          try toMany(steps, of: field, path),
          by: terms(term, isAscending: order.1.isEmpty, of: end),
          column: try column(last, of: end, field, path)))
    }
    let (steps, end) = try follow(names.dropLast(), of: field)
    guard steps.allSatisfy(\.isToOne) else {
      throw error(field, path, "has many values; end with @count, or with last(ATTRIBUTE).\(last)")
    }
    return RelatedValue(
      .column(PredicatePath(steps, column: try column(last, of: end, field, path))))
  }

  private func toMany(
    _ steps: [RelationshipEnd], of field: String, _ path: String
  ) throws(InputError) -> PredicatePath {
    guard let last = steps.last, !last.isToOne else {
      throw error(field, path, "needs a to-many relationship before its last part")
    }
    return PredicatePath(steps)
  }

  /// The key decides between equal objects.
  private func terms(_ column: Int, isAscending: Bool, of entity: Entity) -> [ObjectGraph.SortTerm]
  {
    let term = ObjectGraph.SortTerm(column, isAscending: isAscending)
    let rows = scenario.entities.first { $0.name == entity.name }
    guard let key = rows.flatMap({ entity.index(of: $0.key.name) }), key != column else {
      return [term]
    }
    return [term, ObjectGraph.SortTerm(key)]
  }

  private func column(
    _ name: String, of entity: Entity, _ field: String, _ path: String
  ) throws(InputError) -> Int {
    let known = entity.columns.compactMap(\.attribute).filter { !$0.isTransient }.map(\.name)
    guard known.contains(name), let index = entity.index(of: name) else {
      throw error(
        field, path,
        "\(entity.name) has no stored attribute \(name.quoted)."
          + "\(NearestName.hint(for: name, in: known)) Known: \(known.joined(separator: ", "))")
    }
    return index
  }

  private func error(_ field: String, _ path: String, _ message: String) -> InputError {
    scenario.error(field, message: "\(path.quoted): \(message)")
  }
}

extension RelationshipEnd {
  fileprivate var isToOne: Bool {
    if case .toOne = self { true } else { false }
  }
}
