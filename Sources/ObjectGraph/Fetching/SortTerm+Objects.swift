extension [SortTerm] {
  var isOfRow: Bool { allSatisfy(\.steps.isEmpty) }

  /// Fires faults.
  func key(of object: ManagedObject) -> ContiguousArray<Value> {
    ContiguousArray(map { $0.path.value(of: object).folded($0.options) })
  }

  /// Equal objects come in order of ID. Fires faults.
  func sorted(_ objects: [ManagedObject]) -> [ManagedObject] {
    guard isOfRow else {
      return objects.map { (object: $0, key: key(of: $0)) }
        .sorted { a, b in
          let order = order(ofKeys: a.key, b.key)
          return order == 0 ? a.object.objectID.rank < b.object.objectID.rank : order < 0
        }
        .map(\.object)
    }
    for object in objects { object.fireFault() }
    return objects.sorted { a, b in
      let order = order(a.values, b.values)
      return order == 0 ? a.objectID.rank < b.objectID.rank : order < 0
    }
  }
}
