import ObjectGraph
import Queues
import SQLiteStore

// `@unchecked Sendable`: one thread at a time tells a story.
final class FileWorld: @unchecked Sendable {
  let contexts: [ManagedObjectContext]
  private let places: [FileContext]
  private var held: [[ManagedObject]]
  private var saves: [DidSave] = []
  private var lastKey: Int64 = 0
  /// By context: the set attributes, by the keys of their objects.
  private var edited: [Set<FileEdit>]
  /// By context: the objects with set attributes. A uniqueness conflict changes keys.
  private var editedObjects: [[(object: ManagedObject, column: Int)]]

  /// The cells of rows that a child's undone deletion inserts again.
  private var returned: Set<FileContents.Cell> = []

  struct FileEdit: Hashable {
    let key: Int64
    let column: Int
  }

  init(_ places: [FileContext], over coordinators: [SQLiteCoordinator]) {
    self.places = places
    var contexts: [ManagedObjectContext] = []
    for (index, place) in places.enumerated() {
      let context = ManagedObjectContext(
        name: "context \(index)", queue: PrivateQueue(label: "context \(index)"),
        parent: place.parent.map { .context(contexts[$0]) }
          ?? .coordinator(coordinators[place.coordinator]))
      context.performAndWait {
        context.mergePolicy = place.policy
        if place.undoes { context.undoManager = ContextUndoManager() }
      }
      contexts.append(context)
    }
    self.contexts = contexts
    held = contexts.map { _ in [] }
    edited = contexts.map { _ in [] }
    editedObjects = contexts.map { _ in [] }
    for context in contexts {
      _ = context.performAndWait {
        context.observeDidSave { [unowned self] in saves.append($0) }
      }
    }
  }

  /// Releases everything that would outlive the store.
  func end() {
    saves = []
    held = contexts.map { _ in [] }
    editedObjects = contexts.map { _ in [] }
    for context in contexts.reversed() {
      context.performAndWait {
        context.reset()
        context.undoManager = nil
      }
    }
  }

  /// - Returns: after a save, the differences between the file and the expectations.
  func perform(_ step: FileStep, _ check: FileCheck) throws -> [String] {
    let context = contexts[step.context]
    return try context.performAndWait {
      guard case .save = step.action else {
        try perform(step.action, in: context, step.context)
        return []
      }
      return try save(context, step.context, check)
    }
  }

  private func save(
    _ context: ManagedObjectContext, _ index: Int, _ check: FileCheck
  ) throws -> [String] {
    guard places[index].parent == nil else {
      // The parent's row may stand again by another context, and then takes the child's values.
      returned.formUnion(rowsInserted(by: context))
      do { try context.save() } catch is SaveError { try recover(context) }
      return []
    }
    context.processPendingChanges()
    let relations = keepsRelations(index) ? expectedRelations(of: context) : []
    let before = try check.contents()
    let returning = rowsInserted(by: context)
    let edits = edits(at: index).union(valuesTakenAgain(from: context, before))
    do { try context.save() } catch is SaveError {
      try recover(context)
      return try check.contents() == before ? [] : ["a failed save changed the file"]
    }
    let after = try check.contents()
    let rows = editedRows(at: index, in: context).union(returning).union(returned)
    let isWholeRow = places[index].policy == .overwrite
    return try check.danglingReferences() + after.differences(after: saves[saves.count - 1])
      + (isWholeRow ? [] : after.strayChanges(since: before, edits, rows))
      + after.missing(relations)
  }

  private func keepsRelations(_ index: Int) -> Bool {
    places[index].policy == .objectTrump || places[index].policy == .overwrite
  }

  /// Reacts to a refused save as a user would.
  private func recover(_ context: ManagedObjectContext) throws {
    if saves.count % 2 == 0 { context.rollback() } else { try context.refreshAllObjects() }
  }

  /// The cells that an undone deletion inserts again. If another context inserted the row, the
  /// policy decides which insertion wins.
  private func rowsInserted(by context: ManagedObjectContext) -> [FileContents.Cell] {
    context.insertedObjects.filter { !$0.objectID.isTemporary }.flatMap { object in
      [Property.a, .b].map { property in
        FileContents.Cell(
          place: FileContents.Place(object.objectID), column: places(object).column(property))
      }
    }
  }

  /// The attributes of objects that a child has edited after the parent lost them to rows with the
  /// same codes, and of objects without rows. The policy may insert them again; rows with the same
  /// codes then take their values again.
  private func valuesTakenAgain(
    from context: ManagedObjectContext, _ file: FileContents
  ) -> Set<FileEdit> {
    let lost = context.updatedObjects.filter {
      $0.objectID.isTemporary || file.rows[FileContents.Place($0.objectID)] == nil
    }
    let edits = lost.flatMap { object in
      [Property.a, .b].map { property in
        FileEdit(key: object[places(object).key], column: places(object).column(property))
      }
    }
    return Set(edits)
  }

  private func editedRows(
    at index: Int, in context: ManagedObjectContext
  ) -> Set<FileContents.Cell> {
    let cells = editedObjects[index].compactMap { object, column -> FileContents.Cell? in
      // A child's object may not have its row's ID yet.
      let id = context.registeredObject(for: object.objectID)?.objectID ?? object.objectID
      return id.isTemporary ? nil : .init(place: FileContents.Place(id), column: column)
    }
    return places.indices.reduce(Set(cells)) { cells, child in
      places[child].parent == index ? cells.union(editedRows(at: child, in: context)) : cells
    }
  }

  private func edits(at index: Int) -> Set<FileEdit> {
    places.indices.reduce(edited[index]) { edits, child in
      places[child].parent == index ? edits.union(self.edits(at: child)) : edits
    }
  }
}

// MARK: - Steps

extension FileWorld {
  private func perform(
    _ action: FileAction, in context: ManagedObjectContext, _ index: Int
  ) throws {
    switch action {
    case .insert(let kind, let code): insert(kind, code, in: context, index)
    case .fetch(let kind):
      held[index] += try context.fetch(FetchRequest(StoryModel.places(kind).entity)).filter {
        !held[index].contains($0)
      }
    case .merge(let number): try merge(number, into: context, index)
    case .processPendingChanges: context.processPendingChanges()
    case .undo: context.undo()
    case .redo: context.redo()
    case .refreshAllObjects: try context.refreshAllObjects()
    case .rollback: context.rollback()
    case .letGo: held[index] = []
    case .save: break
    default: try edit(action, in: context, index)
    }
  }

  private func insert(_ kind: Kind, _ code: Int?, in context: ManagedObjectContext, _ index: Int) {
    lastKey += 1
    let places = StoryModel.places(kind)
    let object = context.insert(places.entity)
    object[places.key] = lastKey
    if let code { object[places.code] = kind.code(code) }
    held[index].append(object)
  }

  private func merge(_ number: Int, into context: ManagedObjectContext, _ index: Int) throws {
    guard !saves.isEmpty else { return }
    let save = saves[number % saves.count]
    let place = contexts.firstIndex { $0 === save.context } ?? 0
    guard place != index, places[place].parent == nil || ancestors(index).contains(place) else {
      return
    }
    let changes = ChangedObjectIDs(
      inserted: save.inserted, updated: save.updated, deleted: save.deleted)
    if places[place].coordinator == places[index].coordinator {
      try context.mergeChanges(fromContextDidSave: save)
    } else {
      try context.mergeChanges(fromRemoteContextSave: changes)
    }
  }

  private func ancestors(_ index: Int) -> [Int] {
    places[index].parent.map { [$0] + ancestors($0) } ?? []
  }

  private func edit(_ action: FileAction, in context: ManagedObjectContext, _ index: Int) throws {
    switch action {
    case .set(let n, let property, let value):
      guard let object = object(n, in: index, { _ in true }) else { return }
      let places = places(object)
      object[places.attribute(property)] = Int64(value)
      editedObjects[index].append((object, places.column(property)))
      edited[index].insert(FileEdit(key: object[places.key], column: places.column(property)))
    case .setCode(let n, let code):
      guard let object = object(n, in: index, { _ in true }) else { return }
      object[places(object).code] = kind(of: object).code(code)
    case .relate(let n, let link, let m):
      guard let object = object(n, in: index, { $0.links.contains(link) }) else { return }
      let target = m.flatMap { self.object($0, in: index, { $0 == link.destination }) }
      object[places(object).column(link)] = target.map { .object($0.objectID) } ?? .null
    case .add(let n, let relation, let m), .remove(let n, let relation, let m):
      guard let object = object(n, in: index, { $0.relations.contains(relation) }),
        let other = self.object(m, in: index, { $0 == relation.destination })
      else { return }
      let key = places(object).key(relation)
      if case .add = action { object.add(other, to: key) } else { object.remove(other, from: key) }
    case .delete(let n):
      if let object = object(n, in: index, { _ in true }) { context.delete(object) }
    case .refresh(let n, let mergeChanges):
      // Discarding one side of an unsaved relation leaves the other: a save then writes half of it.
      if let object = object(n, in: index, { _ in true }), mergeChanges || !object.hasChanges {
        try context.refresh(object, mergeChanges: mergeChanges)
      }
    default: break
    }
  }

  /// A held object that can be edited.
  private func object(_ number: Int, in index: Int, _ isOfKind: (Kind) -> Bool) -> ManagedObject? {
    let candidates = held[index].filter {
      $0.context != nil && !$0.isDeleted && isOfKind(kind(of: $0))
    }
    guard !candidates.isEmpty else { return nil }
    let object = candidates[number % candidates.count]
    object.fireFault()
    return object.isDeleted || object.context == nil ? nil : object
  }

  func places(_ object: ManagedObject) -> Places {
    StoryModel.places(kind(of: object))
  }

  func kind(of object: ManagedObject) -> Kind {
    Kind(rawValue: object.entity.name) ?? .item
  }
}
