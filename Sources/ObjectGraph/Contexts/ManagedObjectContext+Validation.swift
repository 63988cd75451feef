extension ManagedObjectContext {
  /// The pending changes, in the order of their first change.
  ///
  /// - Parameter hooked: the objects whose `validate` hook is called; nil for all.
  /// - Throws: `SaveError.validation` with all errors; the store's read errors.
  func validatedChanges(
    callingHooksOf hooked: Set<ManagedObject>? = nil
  ) throws -> ContiguousArray<ManagedObject> {
    var (objects, before) = (pendingObjects, (changed.count, pendingDeletes.count))
    try validate(objects, callingHooksOf: hooked)
    var rounds = 0
    // A hook may have changed or deleted other objects. All are checked again.
    while before != (changed.count, pendingDeletes.count) {
      try propagateDeletes()
      before = (changed.count, pendingDeletes.count)
      let known = Set(objects)
      objects = pendingObjects
      try validate(objects, callingHooksOf: Set(objects).subtracting(known))
      rounds += 1
      require(
        rounds < 1000,
        "validate hooks of context '\(name)' changed other objects 1000 times in one save")
    }
    return objects
  }

  private var pendingObjects: ContiguousArray<ManagedObject> {
    changed.allSatisfy(\.isPending) ? changed : changed.filter(\.isPending)
  }

  private func validate(
    _ objects: ContiguousArray<ManagedObject>, callingHooksOf hooked: Set<ManagedObject>?
  ) throws {
    var errors: [ValidationError] = []
    let deleted = deletedTargets(among: objects)
    for object in objects {
      if object.isDeleted {
        if object.resolved.hasDenyingRelationship { errors += try deniedDeletes(of: object) }
      } else {
        try check(object, into: &errors)
        if let validate = object.entity.hooks.validate, hooked?.contains(object) != false {
          do { try validate(object) } catch {
            errors.append(ValidationError(.custom, object, "", reason: "\(error)"))
          }
        }
        if !deleted.isEmpty { checkTargets(of: object, deleted, into: &errors) }
      }
    }
    guard errors.isEmpty else { throw SaveError.validation(errors) }
  }

  private func check(_ object: ManagedObject, into errors: inout [ValidationError]) throws {
    object.resolved.required.forEachIndex { column in
      guard object.values[column].isNull else { return }
      let name = object.entity.columns[column].name
      errors.append(ValidationError(.missingMandatoryProperty, object, name))
    }
    for (column, rule) in object.resolved.rules {
      guard let code = rule.breach(by: object.values[column]) else { continue }
      errors.append(ValidationError(code, object, object.entity.columns[column].name))
    }
    for index in object.resolved.countedToMany {
      guard let code = try wrongCount(of: object, at: index) else { continue }
      errors.append(ValidationError(code, object, object.entity.toManyRelationships[index].name))
    }
  }

  /// Objects to which no new relation may lead. Delete rules cleared older relations.
  private func deletedTargets(
    among objects: ContiguousArray<ManagedObject>
  ) -> Set<ManagedObjectID> {
    guard model.hasRelationships, objects.contains(where: { !$0.isDeleted }) else { return [] }
    var deleted = Set(objects.lazy.filter(\.isDeleted).map(\.objectID))
    deleted.formUnion(vanishedIDs.lazy.filter(hasVanished))
    if !missingRowIDs.isEmpty { deleted.formUnion(objectsWithMissingRows().lazy.map(\.objectID)) }
    return deleted
  }

  /// A relation without an inverse may lead to a new object that was deleted before the last save.
  /// Only the store finds this. A merge policy settles nothing about it: it ends only relations
  /// that have lost their inverse.
  func checkTargets(missingIn error: SaveError) throws {
    guard case .conflict(let conflicts) = error else { return }
    let vanished = Set(
      conflicts.lazy.map(\.id).filter { $0.isTemporary && self.object(registeredFor: $0) == nil })
    guard !vanished.isEmpty else { return }
    var errors: [ValidationError] = []
    for object in changed where object.isPending && !object.isDeleted {
      checkTargets(of: object, vanished, onlyOneWay: true, into: &errors)
    }
    if !errors.isEmpty { throw SaveError.validation(errors) }
  }

  /// Only relations changed here. The delete rules decided about older ones.
  private func checkTargets(
    of object: ManagedObject, _ deleted: Set<ManagedObjectID>, onlyOneWay: Bool = false,
    into errors: inout [ValidationError]
  ) {
    guard object.resolved.hasRelationships else { return }
    var names: [String] = []
    object.persistentChanges.forEachIndex { column in
      guard let id = object.values[column].objectID, deleted.contains(id),
        !onlyOneWay || object.resolved.toOne[column]?.inverse == nil
      else { return }
      names.append(object.entity.columns[column].name)
    }
    for index in object.toMany.indices
    where !onlyOneWay && !object.toMany[index].added.isDisjoint(with: deleted) {
      names.append(object.entity.toManyRelationships[index].name)
    }
    let reason = "it refers to a deleted object; set another object or nil"
    errors += names.map { ValidationError(.custom, object, $0, reason: reason) }
  }

  /// Reads members only of changed relationships. The others were valid at their last save.
  private func wrongCount(of object: ManagedObject, at index: Int) throws -> ValidationError.Code? {
    guard object.isInserted || object.toMany[index].hasChanges else { return nil }
    let relationship = object.entity.toManyRelationships[index]
    let count = try readRelatedIDs(of: object, at: index).count
    if count == 0 { return relationship.isOptional ? nil : .missingMandatoryProperty }
    if count < relationship.minimumCount { return .relationshipLacksMinimumCount }
    return count > relationship.maximumCount ?? .max ? .relationshipExceedsMaximumCount : nil
  }
}

extension ValidationError {
  init(_ code: Code, _ object: ManagedObject, _ property: String, reason: String = "") {
    self.init(
      code: code, objectID: object.objectID, entity: object.entity.name, property: property,
      reason: reason)
  }
}

extension ValidationRule {
  /// Nil for null.
  func breach(by value: Value) -> ValidationError.Code? {
    switch value {
    case .int64, .double, .decimal: breach(by: value, .numberTooSmall, .numberTooLarge)
    case .date: breach(by: value, .dateTooSoon, .dateTooLate)
    case .string(let string): breach(by: string)
    default: nil
    }
  }

  private func breach(
    by value: Value, _ tooSmall: ValidationError.Code, _ tooLarge: ValidationError.Code
  ) -> ValidationError.Code? {
    if let minimum = conditions.minimum, value.predicateOrder(relativeTo: minimum) < 0 {
      return tooSmall
    }
    if let maximum = conditions.maximum, value.predicateOrder(relativeTo: maximum) > 0 {
      return tooLarge
    }
    return nil
  }

  private func breach(by string: String) -> ValidationError.Code? {
    if let least = conditions.minimumLength, string.utf16.count < least { return .stringTooShort }
    if let most = conditions.maximumLength, string.utf16.count > most { return .stringTooLong }
    return pattern?.matches(string) == false ? .stringPatternMatching : nil
  }
}
