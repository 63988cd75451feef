import DataModel
import ObjectGraph
import Queues
import SQLiteStore

// `@unchecked Sendable`: one thread at a time tells a story.
final class ListWorld: @unchecked Sendable {
  private let isTwin: Bool
  private let readsEarly: Bool
  private let mine: ManagedObjectContext
  /// The context of the list without batches.
  private let twin: ManagedObjectContext
  private let child: ManagedObjectContext
  private let theirs: ManagedObjectContext
  private var parents: [ManagedObjectContext] = []
  private var plan: ListPlan?
  private var batched: FetchedResultsController?
  private var whole: FetchedResultsController?
  private var saves: [DidSave] = []
  /// Indexes of saves that the lists' contexts have not merged.
  private var unmerged: Set<Int> = []
  private var lastKey: Int64 = 0
  /// The IDs of the batched list, as its changes tell them.
  private var mirror: [ManagedObjectID] = []
  private var told: (batched: [ListChanges], whole: [ListChanges]) = ([], [])
  /// Whether the step's event follows a refresh.
  private var hasRefreshed = false
  private var refreshIsPending = false

  init(_ story: ListStory, over coordinator: SQLiteCoordinator) throws {
    func context(_ name: String, _ parent: ManagedObjectContext.Parent) -> ManagedObjectContext {
      let context = ManagedObjectContext(
        name: name, queue: PrivateQueue(label: name), parent: parent)
      context.performAndWait { context.mergePolicy = .objectTrump }
      return context
    }
    let root = ManagedObjectContext.Parent.coordinator(coordinator)
    isTwin = story.isTwin
    readsEarly = story.readsEarly
    if story.isNested { parents = [context("parent", root)] }
    mine = context("mine", parents.first.map { .context($0) } ?? root)
    twin = isTwin ? context("twin", root) : mine
    child = context("child", .context(mine))
    theirs = context("theirs", root)
    for number in 0..<story.rows {
      try edit(.insert(number * 7 % 9, number % 4), in: theirs)
    }
    try theirs.performAndWait { try theirs.save() }
    theirs.performAndWait { _ = theirs.observeDidSave { [unowned self] in note($0) } }
    mine.performAndWait {
      if !isTwin { mine.undoManager = ContextUndoManager() }
      mine.observeObjectsDidChange { [unowned self] in
        if !$0.refreshed.isEmpty || refreshIsPending { hasRefreshed = true }
        refreshIsPending = false
      }
      // A merge may announce a refreshed object as inserted.
      mine.observeDidMerge { [unowned self] in if !$0.refreshed.isEmpty { hasRefreshed = true } }
    }
  }

  private func note(_ save: DidSave) {
    unmerged.insert(saves.count)
    saves.append(save)
  }

  /// Releases everything that would outlive the store.
  func end() {
    (saves, unmerged, batched, whole) = ([], [], nil, nil)
    for context in [child, mine, twin, theirs] + parents {
      context.performAndWait {
        context.reset()
        context.undoManager = nil
      }
    }
  }

  /// - Returns: the differences between the lists.
  func perform(_ step: ListAction) throws -> [String] {
    hasRefreshed = false
    told = ([], [])
    if isTwin { try performTwice(step) } else { try performOnce(step) }
    return isTwin && (readsEarly || !unmerged.isEmpty) ? differencesOfMirror : differences
  }

  // MARK: Steps

  private func performOnce(_ step: ListAction) throws {
    switch step {
    case .edit(let editor, let edit): try self.edit(edit, in: context(of: editor))
    case .save(let editor): try save(context(of: editor))
    default:
      if case .reset = step { child.performAndWait { child.reset() } }
      try mine.performAndWait { try performHere(step) }
    }
  }

  private func performHere(_ step: ListAction) throws {
    switch step {
    case .merge(let number) where !saves.isEmpty:
      let index = number % saves.count
      try merge(saves[index])
      unmerged.remove(index)
    case .fetch(let plan):
      // A list without batches sorts by the objects' own values.
      for index in unmerged.sorted() { try merge(saves[index]) }
      unmerged = []
      mine.processPendingChanges()
      try fetch(plan)
    case .refresh(let number, let mergeChanges):
      if let object = try object(number, in: mine) {
        try mine.refresh(object, mergeChanges: mergeChanges)
        refreshIsPending = true
      }
    case .refreshAllObjects: try mine.refreshAllObjects()
    case .rollback: mine.rollback()
    case .reset:
      mine.reset()
      unmerged = []
      if let plan { try fetch(plan) }
    case .undo: mine.undo()
    case .redo: mine.redo()
    case .obtainPermanentIDs: try mine.obtainPermanentIDs(for: mine.insertedObjects)
    case .processPendingChanges: mine.processPendingChanges()
    case .read(let number): read(number)
    case .edit, .save, .merge: break
    }
  }

  /// Objects are not held in these contexts, so all edits come from elsewhere.
  private func performTwice(_ step: ListAction) throws {
    switch step {
    case .edit(_, let edit): try self.edit(edit, in: theirs)
    case .save: try save(theirs)
    case .merge: try mergeTwice()
    case .fetch(let plan): try fetch(plan)
    case .read(let number) where readsEarly || unmerged.isEmpty:
      mine.performAndWait { read(number) }
    default: break
    }
  }

  private func mergeTwice() throws {
    guard let index = unmerged.min() else { return }
    unmerged.remove(index)
    for context in [mine, twin] {
      try context.performAndWait { try mergeFiringFaults(saves[index], into: context) }
    }
  }

  private func context(of editor: ListEditor) -> ManagedObjectContext {
    switch editor {
    case .mine: mine
    case .child: child
    case .theirs: theirs
    }
  }

  private func edit(_ edit: ListEdit, in context: ManagedObjectContext) throws {
    let item = StoryModel.places(.item)
    try context.performAndWait {
      switch edit {
      case .insert(let a, let b):
        lastKey += 1
        let object = context.insert(item.entity)
        object[item.key] = lastKey
        object[item.a] = a.map { Int64($0) }
        object[item.b] = b.map { Int64($0) }
      case .set(let number, let property, let value):
        try object(number, in: context)?[item.attribute(property)] = value.map { Int64($0) }
      case .delete(let number):
        if let object = try object(number, in: context) { context.delete(object) }
      }
    }
  }

  private func object(
    _ number: Int, in context: ManagedObjectContext
  ) throws -> ManagedObject? {
    let item = StoryModel.places(.item)
    let all = try context.fetch(FetchRequest(item.entity, sortedBy: [item.key.ascending]))
    guard !all.isEmpty else { return nil }
    let object = all[number % all.count]
    object.fireFault()
    return object.isDeleted ? nil : object
  }

  private func save(_ context: ManagedObjectContext) throws {
    try context.performAndWait {
      do { try context.save() } catch is SaveError { context.rollback() }
    }
  }

  private func merge(_ save: DidSave) throws {
    for parent in parents {
      try parent.performAndWait { try parent.mergeChanges(fromContextDidSave: save) }
    }
    try mine.mergeChanges(fromContextDidSave: save)
  }

  /// As libraries do, so that a list learns of rows that it has not read.
  private func mergeFiringFaults(_ save: DidSave, into context: ManagedObjectContext) throws {
    let updated = save.updated.map { context.object(with: $0) }
    for object in updated { object.fireFault() }
    // An optimised build would release them before the merge, which skips what is not registered.
    try withExtendedLifetime(updated) { try context.mergeChanges(fromContextDidSave: save) }
    context.processPendingChanges()
  }

  private func read(_ number: Int) {
    guard let batched, batched.count > 0 else { return }
    let index = number % batched.count
    let object = batched[index]
    _ = object.isFault || batched.path(of: object) == batched.path(at: index)
  }

  private func fetch(_ plan: ListPlan) throws {
    self.plan = plan
    batched = try mine.performAndWait {
      var request = plan.request(isBatched: true)
      request.returnsObjectsAsFaults = plan.asFaults
      let list = FetchedResultsController(request, in: mine, sections: plan.key)
      try list.performFetch()
      mirror = list.fetchedObjectIDs
      list.onChange = { [unowned self] in told.batched.append($0) }
      list.onIDChange = { [unowned self] in mirror = mirror.applying($0.difference) ?? [] }
      return list
    }
    whole = try twin.performAndWait {
      var request = plan.request(isBatched: false)
      // The lists of one context share their objects. A merge passes over faults.
      request.returnsObjectsAsFaults = isTwin
      let list = FetchedResultsController(request, in: twin, sections: plan.key)
      try list.performFetch()
      list.onChange = { [unowned self] in told.whole.append($0) }
      return list
    }
  }

  // MARK: Comparing

  private var differencesOfMirror: [String] {
    guard let batched else { return [] }
    let listed = mine.performAndWait { batched.fetchedObjectIDs }
    // A new permanent ID is told with the next event.
    let isEqual = mirror.elementsEqual(listed) { $0 == $1 || $0.isTemporary }
    return isEqual ? [] : ["replayed: \(text(mirror)) instead of \(text(listed))"]
  }

  private var differences: [String] {
    guard let batched, let whole else { return [] }
    var differences = differencesOfMirror
    let found = mine.performAndWait { (batched.fetchedObjectIDs, batched.sections) }
    let expected = twin.performAndWait { (whole.fetchedObjectIDs, whole.sections) }
    if found.0 != expected.0 {
      differences.append("listed: \(text(found.0)) instead of \(text(expected.0))")
    }
    if found.1 != expected.1 {
      differences.append("sections: \(found.1) instead of \(expected.1)")
    }
    return differences + (isTwin ? [] : differencesOfChanges)
  }

  /// A refreshed object has lost the values by which an unread one was sorted. Another object may
  /// then move instead, to where it was.
  private var differencesOfChanges: [String] {
    let isEqual =
      hasRefreshed
      ? told.batched.map(\.withoutMoves) == told.whole.map(\.withoutMoves)
      : told.batched == told.whole
    return isEqual ? [] : ["told: \(told.batched) instead of \(told.whole)"]
  }

  /// Merges all saves and reads all batches.
  func differencesAtEnd() throws -> [String] {
    guard isTwin else { return mine.performAndWait(differencesOfObjects) }
    while !unmerged.isEmpty { try mergeTwice() }
    try mine.performAndWait {
      if let object = batched?.fetchedObjects.first { try mine.refresh(object, mergeChanges: true) }
      mine.processPendingChanges()
    }
    return differences
  }

  private func differencesOfObjects() -> [String] {
    let isEqual = batched?.fetchedObjects == whole?.fetchedObjects
    return isEqual ? [] : ["the objects differ at the end"]
  }

  private func text(_ ids: [ManagedObjectID]) -> String {
    "\(ids.map(\.number))"
  }
}

extension ListChanges {
  fileprivate var withoutMoves: [[Int]] {
    [sectionDeletions, sectionInsertions, deletions, insertions]
  }
}
