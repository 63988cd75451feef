import ObjectGraph

/// From the object with a key to a new object with a code; to nothing if the code is null.
struct FileRelation: Hashable {
  let kind: Kind
  let key: Int64
  let link: Property
  let code: Value
}

extension FileWorld {
  private struct Code: Hashable {
    let kind: String
    let value: Value
  }

  /// The unsaved relations to new objects with a code. The new object takes the place of a stored
  /// row with that code. If another change has the code too, either object may give way.
  func expectedRelations(of context: ManagedObjectContext) -> [FileRelation] {
    let changed = context.insertedObjects + context.updatedObjects
    let new = Set(context.insertedObjects)
    let codes = Dictionary(grouping: changed) {
      Code(kind: $0.entity.name, value: $0[places($0).code])
    }
    return changed.flatMap { object in
      let kind = kind(of: object)
      let places = places(object)
      return [Property.group, .parent].filter(kind.links.contains).compactMap {
        link -> FileRelation? in
        guard let id = object[places.column(link)].objectID,
          let target = context.registeredObject(for: id), new.contains(target),
          case let code = target[self.places(target).code], !code.isNull,
          codes[Code(kind: target.entity.name, value: code)]?.count == 1
        else { return nil }
        return FileRelation(kind: kind, key: object[places.key], link: link, code: code)
      }
    }
      + emptyRelations(of: new) { codes[$0]?.count == 1 }
  }

  /// The relations that new objects with a unique code do not have. A row that takes such an
  /// object's place loses its own.
  private func emptyRelations(
    of new: Set<ManagedObject>, _ isUnique: (Code) -> Bool
  ) -> [FileRelation] {
    new.flatMap { object in
      let (kind, places) = (kind(of: object), places(object))
      let code = Code(kind: object.entity.name, value: object[places.code])
      guard object.objectID.isTemporary, !code.value.isNull, isUnique(code) else {
        return [FileRelation]()
      }
      return kind.links.filter { object[places.column($0)].isNull }
        .map { FileRelation(kind: kind, key: object[places.key], link: $0, code: .null) }
    }
  }
}
