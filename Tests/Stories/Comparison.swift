import ObjectGraph

/// The differences between a context and the reference. Fires no faults.
struct Comparison {
  private let reference: ReferenceContext
  private let core: CoreWorld
  private let held: [Int: ManagedObject]
  private(set) var differences: [String] = []

  init(_ reference: ReferenceContext, _ core: CoreWorld) {
    self.reference = reference
    self.core = core
    held = core.held[reference.index]
    let context = core.contexts[reference.index]
    context.performAndWait {
      compareSets(of: context)
      for object in reference.objects.values { compare(object) }
    }
  }

  private mutating func compareSets(of context: ManagedObjectContext) {
    let objects = reference.objects.values
    func names(_ objects: [ManagedObject]) -> Set<Int> {
      Set(objects.map { core.name($0.objectID) })
    }
    func numbers(_ change: ReferenceObject.Change) -> Set<Int> {
      Set(objects.filter { $0.change == change }.map(\.n))
    }
    expect("registered", Set(held.keys), Set(reference.objects.keys))
    expect("inserted", names(context.insertedObjects), numbers(.inserted))
    compareTemporaryIDs(
      names(context.insertedObjects.filter(\.objectID.isTemporary)),
      numbers(.inserted).intersection(reference.world.temporary))
    expect("updated", names(context.updatedObjects), numbers(.updated))
    expect("deleted", names(context.deletedObjects), numbers(.deleted).union(numbers(.ghost)))
    expect("hasChanges", context.hasChanges, objects.contains(where: \.isPending))
  }

  /// A child may learn late that an ancestor saved an object which the child inserted again: the
  /// moment is undocumented (Semantics 41).
  private mutating func compareTemporaryIDs(_ found: Set<Int>, _ expected: Set<Int>) {
    let isChild = reference.parent != nil
    guard !isChild || !expected.isSubset(of: found) else { return }
    expect("inserted, with temporary IDs", found, expected)
  }

  private mutating func compare(_ expected: ReferenceObject) {
    guard let object = held[expected.n] else { return }
    let name = "#\(expected.n)"
    let state = [object.isInserted, object.isUpdated, object.isDeleted]
    let change = expected.change
    expect(
      "\(name) inserted, updated, deleted", state,
      [change == .inserted, change == .updated, expected.isDeleted])
    expect("\(name) is fault", object.isFault, expected.isFault)
    guard !expected.isDeleted, change != .vanishing, !expected.isFault, !object.isFault else {
      return
    }
    expect(
      "\(name) hasPersistentChangedValues",
      object.hasPersistentChangedValues,
      change == .inserted || expected.hasChangedValues)
    let places = StoryModel.places(expected.kind)
    let row = expected.view
    for property in expected.kind.properties {
      expect("\(name).\(property)", number(object[places.column(property)]), row.values[property])
    }
    for relation in expected.kind.relations {
      let key = places.key(relation)
      let members = object.hasFault(for: key) ? nil : Set(object.objectIDs(key).map(core.name))
      let known = expected.members[relation]
      expect("\(name).\(relation)", members, known?.below == nil ? nil : known?.view)
    }
  }

  private func number(_ value: Value) -> Int? {
    switch value {
    case .int64(let number): Int(number)
    case .object(let id): core.name(id)
    default: nil
    }
  }

  private mutating func expect<T: Equatable>(_ what: String, _ found: T, _ expected: T) {
    guard found != expected else { return }
    differences.append("context \(reference.index), \(what): \(found) instead of \(expected)")
  }
}
