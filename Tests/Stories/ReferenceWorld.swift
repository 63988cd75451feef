struct ReferenceNote {
  let context: Int
  /// Nil for the store.
  let target: Int?
  let inserted: Set<Int>
  let updated: Set<Int>
  let deleted: Set<Int>
  let returnsBefore: Int
  /// A batch deletion, which lists no partners.
  var isBatch = false
}

final class ReferenceWorld {
  let store = ReferenceStore()
  private(set) var contexts: [ReferenceContext] = []
  private(set) var kinds: [Int: Kind] = [:]
  var notes: [Int: ReferenceNote] = [:]
  var events: [Event] = []
  /// Objects whose ID has yet to change.
  private(set) var temporary: Set<Int> = []
  let slip: Slip?
  var resets: [Int] = []
  /// Contexts that merged the last save.
  private(set) var followers: [ReferenceContext] = []
  private(set) var rarities: Set<String> = []
  private var forgotten: [Int: [ReferenceObject]] = [:]

  init(_ tree: [StoryContext], slip: Slip? = nil) {
    self.slip = slip
    store.neverConflicts = slip == .noConflicts
    for (index, place) in tree.enumerated() {
      let parent = place.parent.map { contexts[$0] }
      contexts.append(ReferenceContext(index, place, parent: parent, in: self))
    }
  }

  func remark(_ rarity: String) { rarities.insert(rarity) }

  /// An object leaves its context unannounced.
  func forget(_ object: ReferenceObject, in context: ReferenceContext) {
    context.objects[object.n] = nil
    forgotten[context.index, default: []].append(object)
  }

  func forgotten(by context: ReferenceContext) -> [ReferenceObject] {
    forgotten.removeValue(forKey: context.index) ?? []
  }

  /// A context and its descendants, the farthest first.
  func above(_ context: ReferenceContext) -> [ReferenceContext] {
    contexts.reversed().filter { $0 === context || $0.ancestors.contains { $0 === context } }
  }
}

extension ReferenceContext {
  var ancestors: [ReferenceContext] { parent.map { [$0] + $0.ancestors } ?? [] }

  func isUsable(_ n: Int) -> Bool { objects[n].map { !$0.isGoing } ?? false }

  /// Possibly an edit without effect.
  func isEditable(_ n: Int) -> Bool { objects[n].map { !$0.isGhost } ?? false }

  /// False for an unsaved object that its level has rolled back.
  func canBeSaved(_ n: Int) -> Bool {
    !world.temporary.contains(n)
      || ([self] + ancestors).contains { level in
        level.objects[n].map { $0.change == .inserted || $0.change == .vanishing } ?? false
      }
  }

  func follows(_ other: ReferenceContext) -> Bool {
    let isBeside = parent == nil && other.parent == nil && other !== self
    return mergesAutomatically && (parent === other || isBeside)
  }
}

// MARK: - Steps

extension ReferenceWorld {
  func applies(_ step: Step) -> Bool {
    guard step.context < contexts.count else { return false }
    let context = contexts[step.context]
    switch step.action {
    case .insert(let n, _, _, _, _): return kinds[n] == nil
    case .delete(let n), .readMembers(let n, _): return context.isUsable(n)
    case .set(let n, _, _): return context.isEditable(n)
    case .relate(let n, _, let m): return context.isEditable(n) && context.isEditable(m ?? n)
    case .add(let n, _, let m), .remove(let n, _, let m):
      return context.isEditable(n) && context.isEditable(m)
    case .obtainPermanentIDs(let numbers):
      return numbers.allSatisfy { context.objects[$0] != nil && context.canBeSaved($0) }
    case .deleteRows(_, let numbers):
      return numbers.allSatisfy { kinds[$0] != nil && !temporary.contains($0) }
    case .undo: return context.undoing?.canUndo ?? true
    case .redo: return context.undoing?.canRedo ?? true
    case .read(let n), .refresh(let n, _): return context.objects[n] != nil
    case .take(let n): return kinds[n] != nil && context.objects[n]?.change != .vanishing
    case .merge(let note):
      guard let note = notes[note], note.isBatch || note.context != step.context else {
        return false
      }
      guard let target = note.target else { return true }
      return context.ancestors.contains { $0.index == target }
    default: return true
    }
  }

  func perform(_ step: Step) -> Outcome {
    events = []
    resets = []
    followers = []
    rarities = []
    let before = contexts.map { Set($0.objects.keys) }
    let outcome = take(step)
    contexts[step.context].noteUndoing(step.action)
    var shown = events.map(\.objects)
    shown.append((step.context, outcome.objects.union(step.action.madeObjects)))
    for (context, before) in zip(contexts, before) {
      context.letGo { n in
        before.contains(n)
          || shown.contains { $0.context == context.index && $0.objects.contains(n) }
      }
    }
    return outcome
  }

  private func take(_ step: Step) -> Outcome {
    let context = contexts[step.context]
    switch step.action {
    case .insert(let n, let kind, let a, let b, let permanent):
      kinds[n] = kind
      if !permanent { temporary.insert(n) }
      context.insert(n, kind, [.a: a, .b: b])
    case .take(let n): return context.take(n)
    case .fetch(let query): return .found(context.fetch(query))
    case .count(let query): return .counted(context.find(query).count)
    case .save(let note): return save(context, note)
    case .obtainPermanentIDs(let numbers):
      if slip != .permanentIDsComeLater { temporary.subtract(numbers) }
      return .found(Set(numbers).subtracting(temporary).sorted())
    case .merge(let note): if let note = notes[note] { context.merge(note) }
    case .deleteRows(let note, let numbers):
      let deleted = Set(numbers).filter { store.row($0) != nil }
      store.delete(numbers)
      notes[note] = ReferenceNote(
        context: context.index, target: nil, inserted: [], updated: [], deleted: deleted,
        returnsBefore: 0, isBatch: true)
    case .processPendingChanges: context.processPendingChanges()
    case .refreshAllObjects: context.refreshAllObjects()
    case .undo: context.undo()
    case .redo: context.redo()
    case .rollback:
      forgetNotes { $0.target == context.index }
      context.rollback()
    case .reset: reset(above(context))
    case .letGo:
      forgetNotes { $0.context == context.index }
      context.letGo { _ in false }
    default: context.edit(step.action)
    }
    return .done
  }

  private func forgetNotes(_ condition: (ReferenceNote) -> Bool) {
    notes = notes.filter { !condition($0.value) }
  }

  private func save(_ context: ReferenceContext, _ note: Int) -> Outcome {
    let outcome = context.save(note)
    guard outcome == .done, let saved = notes[note] else { return outcome }
    if context.parent == nil { temporary.subtract(saved.inserted) }
    followers = contexts.filter { $0.follows(context) && slip != .mergesByHandOnly }
    for follower in followers { follower.merge(saved) }
    if !followers.isEmpty { remark("automatic merge") }
    return outcome
  }

  private func reset(_ contexts: some Collection<ReferenceContext>) {
    for context in contexts {
      context.reset()
      forgetNotes { $0.target == context.index }
      resets.append(context.index)
    }
  }
}

extension ReferenceContext {
  fileprivate func noteUndoing(_ action: Action) {
    switch action {
    case .undo, .redo: world.remark(undoing == nil ? "undo without a manager" : "undo or redo")
    default: break
    }
  }

  func take(_ n: Int) -> Outcome {
    if let object = objects[n], !object.isFault { return object.isGhost ? .notFound : .done }
    guard let row = below.row(n) else { return .notFound }
    object(n).realise(row)
    return .done
  }

  func fetch(_ query: Query) -> [Int] {
    let isOrdered = query.ascending != nil && pending.contains { $0.kind == query.kind }
    return find(query).map { n, row in
      let object = object(n)
      if world.slip == .fetchRefreshes, let row { object.rebase(on: row) }
      if object.isFault, isOrdered || !query.asFaults, let row { object.realise(row) }
      return n
    }
  }

  /// Steps that change or read single objects, whose rows may be missing.
  func edit(_ action: Action) {
    switch action {
    case .set(let n, let property, let value):
      realised([n]) { set($0[0], property, value) }
    case .relate(let n, let link, let m):
      realised([n, m].compactMap(\.self)) { relate($0[0], link, to: m) }
    case .add(let n, let relation, let m):
      realised([n, m]) { setMembership($0[0], relation, m, true) }
    case .remove(let n, let relation, let m):
      realised([n, m]) { setMembership($0[0], relation, m, false) }
    case .delete(let n): delete(object(n))
    case .read(let n): fire(object(n))
    case .readMembers(let n, let relation):
      realised([n]) { _ = loadMembers($0[0], relation) }
    case .refresh(let n, let mergeChanges): refresh(object(n), mergeChanges: mergeChanges)
    default: break
    }
  }

  private func realised(_ numbers: [Int], _ body: ([ReferenceObject]) -> Void) {
    let objects = numbers.map { object($0) }
    if objects.contains(where: \.isDeleted) { world.remark("change of what is deleted") }
    for object in objects { fire(object) }
    if !objects.contains(where: \.isGhost) { body(objects) }
  }
}
