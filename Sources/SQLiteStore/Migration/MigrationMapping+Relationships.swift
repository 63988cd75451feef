import ObjectGraph

// A relationship can become wider. The reverse would have to choose a member to keep:
//
//   from              to: one ⇄ one    one ⇄ many    many ⇄ many
//   one ⇄ one               yes            yes            yes
//   one ⇄ many              no             yes            yes
//   many ⇄ many             no             no             yes

extension MigrationMapping {
  mutating func check(_ relationship: ResolvedRelationship, _ name: String, of index: Int) {
    let description = relationship.description
    guard
      let source = source(of: description.renamingIdentifier ?? description.name, in: index)
    else { return checkAdded(relationship, name) }
    switch source.property.kind {
    case .attribute where source.property.isTransient: checkAdded(relationship, name)
    case .attribute: addProblem("\(name) was an attribute; give the relationship another name")
    case .toMany where !description.isToMany:
      addProblem("\(name) was to-many, and only one could be kept; leave it to-many, or rename it")
    case .toOne, .toMany:
      if !description.isToMany, source.property.isOptional, !description.isOptional {
        addProblem(
          "\(name) must have a destination now, and older rows may have none; leave it optional")
      }
      checkDestination(relationship, name, from: source.property)
    }
  }

  /// A new relationship must not be the inverse of one that has members.
  private mutating func checkAdded(_ relationship: ResolvedRelationship, _ name: String) {
    guard !relationship.description.isToMany else { return }
    if !relationship.description.isOptional {
      addProblem("\(name) must have a destination, and older rows have none; make it optional")
    }
    guard let inverse = relationship.inverse else { return }
    let other = new.model.resolved[relationship.destination].relationship(at: inverse).description
    let identifier = other.renamingIdentifier ?? other.name
    if source(of: identifier, in: relationship.destination) != nil {
      addProblem(
        "\(name) is new, but its inverse '\(relationship.description.destination).\(other.name)' is not"
          + " and may have several members; make it to-many, or give both a new name")
    }
  }

  private mutating func checkDestination(
    _ relationship: ResolvedRelationship, _ name: String, from property: StoredModel.Property
  ) {
    guard let destination = oldIndex(named: property.destination) else { return }
    let allowed = new.model.resolved[relationship.destination].kinds
    let successors = oldKinds(of: destination).compactMap(newIndex)
    if newIndex(of: destination) == nil || !successors.allSatisfy(allowed.contains) {
      addProblem(
        "\(name) led to '\(property.destination ?? "")' and leads to "
          + "'\(relationship.description.destination)' now; keep the destination, or rename it")
    }
  }

  /// Both sides of a many-to-many relationship must have been sides of one relationship.
  mutating func checkPairs() {
    for table in new.pairTables {
      let sides = table.ends.flatMap { end in
        pairSources(of: end).map { source in
          Set([source.name, inverseName(of: source)].compactMap(\.self))
        }
      }
      guard let first = sides.first else { continue }
      if !sides.allSatisfy({ !$0.isDisjoint(with: first) }) {
        addProblem("'\(table.owner)' and its inverse were two relationships; rename one of them")
      }
    }
  }

  /// The old relationships that supply one side of a new many-to-many relationship, by old entity.
  func pairSources(of end: PairTable.End) -> [(name: String, newIndex: Int, source: Source)] {
    let entity = new.model.resolved[end.entity]
    guard
      let description = entity.toMany.first(where: { $0.description.name == end.relationship })?
        .description
    else { return [] }
    return entity.kinds.compactMap { kind in
      let source = source(of: description.renamingIdentifier ?? description.name, in: kind)
      guard let source, source.property.kind != .attribute else { return nil }
      return ("\(source.entity.name).\(source.property.name)", kind, source)
    }
  }

  private func inverseName(
    of side: (name: String, newIndex: Int, source: Source)
  ) -> String? {
    guard let inverse = side.source.property.inverse,
      let destination = oldIndex(named: side.source.property.destination),
      let owner = oldProperties(of: destination).first(where: { $0.property.name == inverse })
    else { return nil }
    return "\(owner.entity.name).\(inverse)"
  }
}
