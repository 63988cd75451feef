extension ManagedObjectContext {
  /// - Throws: `SaveError.validation` with all errors of these objects; the store's read errors.
  func validate(_ objects: ContiguousArray<ManagedObject>) throws {
    var errors: [ValidationError] = []
    let deleted = deletedTargets(among: objects)
    for object in objects {
      if object.isDeleted {
        if object.resolved.hasDenyingRelationship { errors += try deniedDeletes(of: object) }
      } else {
        try check(object, into: &errors)
        if !deleted.isEmpty { checkTargets(of: object, deleted, into: &errors) }
      }
    }
    guard errors.isEmpty else { throw SaveError.validation(errors) }
  }

  private func check(_ object: ManagedObject, into errors: inout [ValidationError]) throws {
    object.resolved.required.forEachIndex { column in
      if object.values[column].isNull {
        errors.append(
          ValidationError(.missingMandatoryProperty, object, object.entity.columns[column].name))
      }
    }
    for (column, rule) in object.resolved.rules {
      if let code = rule.breach(by: object.values[column]) {
        errors.append(ValidationError(code, object, object.entity.columns[column].name))
      }
    }
    for index in object.resolved.countedToMany {
      try checkCount(of: object, at: index, into: &errors)
    }
    guard let validate = object.entity.hooks.validate else { return }
    do { try validate(object) } catch {
      errors.append(ValidationError(.custom, object, "", reason: "\(error)"))
    }
  }

  /// The deleted objects that no saved object may refer to. The delete rules have already cleared
  /// the relations of that time.
  private func deletedTargets(
    among objects: ContiguousArray<ManagedObject>
  ) -> Set<ManagedObjectID> {
    guard model.hasRelationships, objects.contains(where: { !$0.isDeleted }) else { return [] }
    return Set(objects.lazy.filter(\.isDeleted).map(\.objectID))
  }

  /// Checks only relations changed here. For older relations to a deleted object, its delete rule
  /// decided.
  private func checkTargets(
    of object: ManagedObject, _ deleted: Set<ManagedObjectID>, into errors: inout [ValidationError]
  ) {
    guard object.resolved.hasRelationships else { return }
    let reason = "it refers to a deleted object; set another object or nil"
    let changes = object.persistentChanges
    for (column, relationship) in object.resolved.toOne.enumerated()
    where relationship != nil && changes.contains(AttributeMask(index: column)) {
      guard let id = object.values[column].objectID, deleted.contains(id) else { continue }
      let name = object.entity.columns[column].name
      errors.append(ValidationError(.custom, object, name, reason: reason))
    }
    for index in object.toMany.indices where !object.toMany[index].added.isDisjoint(with: deleted) {
      let name = object.entity.toManyRelationships[index].name
      errors.append(ValidationError(.custom, object, name, reason: reason))
    }
  }

  /// Reads members only of relationships that changed. The others were valid at their last save.
  private func checkCount(
    of object: ManagedObject, at index: Int, into errors: inout [ValidationError]
  ) throws {
    guard object.isInserted || object.toMany[index].hasChanges else { return }
    let relationship = object.entity.toManyRelationships[index]
    let count = try readRelatedIDs(of: object, at: index).count
    if count == 0 && !relationship.isOptional {
      errors.append(ValidationError(.missingMandatoryProperty, object, relationship.name))
    } else if count > 0 && count < relationship.minimumCount {
      errors.append(ValidationError(.relationshipLacksMinimumCount, object, relationship.name))
    } else if let maximum = relationship.maximumCount, count > maximum {
      errors.append(ValidationError(.relationshipExceedsMaximumCount, object, relationship.name))
    }
  }
}

extension ValidationError {
  init(_ code: Code, _ object: ManagedObject, _ property: String, reason: String = "") {
    self.init(
      code: code, objectID: object.objectID, entity: object.entity.name, property: property,
      reason: reason)
  }
}

extension AttributeValidation {
  /// The rule that a value violates; nil if none, and for null.
  func breach(by value: Value) -> ValidationError.Code? {
    switch value {
    case .int64, .double: breach(by: value, .numberTooSmall, .numberTooLarge)
    case .date: breach(by: value, .dateTooSoon, .dateTooLate)
    case .string(let string): breach(by: string)
    default: nil
    }
  }

  private func breach(
    by value: Value, _ tooSmall: ValidationError.Code, _ tooLarge: ValidationError.Code
  ) -> ValidationError.Code? {
    if let minimum, value.order(relativeTo: minimum) < 0 { return tooSmall }
    if let maximum, value.order(relativeTo: maximum) > 0 { return tooLarge }
    return nil
  }

  private func breach(by string: String) -> ValidationError.Code? {
    if let minimumLength, string.count < minimumLength { return .stringTooShort }
    if let maximumLength, string.count > maximumLength { return .stringTooLong }
    if let pattern, !Self.matches(string, pattern) { return .stringPatternMatching }
    return nil
  }

  /// The model has validated the pattern.
  private static func matches(_ string: String, _ pattern: String) -> Bool {
    guard let regex = try? Regex(pattern) else { return false }
    return (try? regex.wholeMatch(in: string)) ?? nil != nil
  }
}
