import Support
import ObjectGraph
import SQLiteStore
import TestSupport

struct StoryContext: Sendable {
  /// Smaller than its own index; nil for the coordinator.
  let parent: Int?
  let policy: MergePolicy
  let mergesAutomatically: Bool
  let undoes: Bool
}

struct Story: Sendable {
  let tree: [StoryContext]
  let mode: StoreMode
  var steps: [Step] = []

  /// One to five contexts, at most four deep.
  init(_ generator: inout SplitMix64) {
    mode = generator.pick(StoreMode.allCases)
    var tree: [StoryContext] = []
    var depths: [Int] = []
    for index in 0..<Int.random(in: 1...5, using: &generator) {
      let candidates: [Int?] = [nil, nil] + (0..<index).filter { depths[$0] < 4 }.map { $0 }
      let parent = generator.pick(candidates)
      tree.append(
        StoryContext(
          parent: parent,
          policy: generator.chance(3) ? .error : generator.pick(MergePolicy.allCases),
          mergesAutomatically: generator.chance(3), undoes: generator.chance(4)))
      depths.append(1 + (parent.map { depths[$0] } ?? 0))
    }
    self.tree = tree
  }
}

extension Story: Shortenable {
  var description: String {
    let contexts = tree.enumerated().map { index, context in
      "  context \(index) on \(context.parent.map { "context \($0)" } ?? "the coordinator")"
        + ", merge policy \(context.policy)"
        + (context.mergesAutomatically ? ", merging automatically" : "")
        + (context.undoes ? ", with an undo manager" : "")
    }
    let steps = steps.enumerated().map { "  \($0 + 1). \($1)" }
    return (["store mode \(mode)"] + contexts + steps).joined(separator: "\n")
  }
}

struct StepDrawing {
  var generator: SplitMix64
  let withRelationships: Bool
  let plans: Bool
  private var plan: ArraySlice<Step> = []
  private var number = 0

  init(_ generator: SplitMix64, ofSeed seed: UInt64) {
    self.generator = generator
    withRelationships = seed % 4 != 0
    plans = seed % 4 == 1
  }

  mutating func newNumber() -> Int {
    number += 1
    return number
  }

  mutating func step(in world: ReferenceWorld) -> Step {
    if plans, plan.isEmpty, generator.chance(5) { plan = plan(in: world)[...] }
    if let next = plan.popFirst() { return next }
    number += 1
    let context = generator.pick(world.contexts)
    return Step(context: context.index, action: action(in: context, of: world))
  }

  private mutating func action(in context: ReferenceContext, of world: ReferenceWorld) -> Action {
    let known = context.sorted
    switch Int.random(in: 0..<103, using: &generator) {
    case 0..<9 where known.count < 12: return insert()
    case 9..<24 where !known.isEmpty:
      return .set(pick(known), generator.pick([.a, .b]), value())
    case 24..<44 where withRelationships && !known.isEmpty:
      return relation(among: known)
    case 44..<49 where !known.isEmpty: return .delete(pick(known))
    case 49..<53 where !known.isEmpty: return .read(pick(known))
    case 53..<56 where !world.kinds.isEmpty: return .take(generator.pick(world.kinds.keys.sorted()))
    case 56..<58: return generator.chance(3) ? .redo : .undo
    case 58..<66: return .fetch(query())
    case 66..<68:
      var query = query()
      query.ascending = nil
      query.limit = nil
      query.asFaults = true
      return .count(query)
    case 68..<71: return .processPendingChanges
    case 71..<82: return .save(number)
    case 82..<89 where !world.notes.isEmpty:
      return .merge(generator.pick(world.notes.keys.sorted()))
    case 89..<93 where !known.isEmpty:
      return .refresh(pick(known), mergeChanges: generator.chance(2))
    case 93: return .refreshAllObjects
    case 94..<96: return .rollback
    case 96: return .reset
    case 97..<99 where !known.isEmpty: return .obtainPermanentIDs(numbers(among: known))
    case 99: return .letGo
    case 100..<103: return deleteRows(in: world)
    default: return known.isEmpty ? .fetch(query()) : .set(pick(known), .a, value())
    }
  }

  private mutating func pick(_ objects: [ReferenceObject]) -> Int { generator.pick(objects).n }

  private mutating func value() -> Int? { generator.pick([nil, 0, 1, 2]) }

  private mutating func insert() -> Action {
    let kind = withRelationships ? generator.pick([.group, .item, .item, .tag]) : Kind.item
    return .insert(number, kind, a: value(), b: value(), permanent: generator.chance(2))
  }

  /// Mostly for new objects.
  private mutating func numbers(among known: [ReferenceObject]) -> [Int] {
    let new = known.filter { $0.change == .inserted }
    let candidates = new.isEmpty || generator.chance(4) ? known : new
    return (0..<Int.random(in: 1...4, using: &generator)).map { _ in pick(candidates) }
  }

  private mutating func deleteRows(in world: ReferenceWorld) -> Action {
    let rows = world.store.rows.filter { !world.temporary.contains($0.key) }
    let kind = generator.pick(Kind.allCases)
    let numbers = rows.filter { $0.value.kind == kind }.keys.sorted()
    guard !numbers.isEmpty else { return .processPendingChanges }
    return .deleteRows(
      number, (0..<Int.random(in: 1...3, using: &generator)).map { _ in generator.pick(numbers) })
  }

  private mutating func query() -> Query {
    var query = Query(kind: withRelationships ? generator.pick(Kind.allCases) : .item)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: query.test = .equal(generator.pick([.a, .b]), value())
    case 1: query.test = .less(generator.pick([.a, .b]), Int.random(in: 0...2, using: &generator))
    default: break
    }
    if generator.chance(2) {
      query.ascending = generator.chance(2)
      if generator.chance(2) { query.limit = Int.random(in: 0...4, using: &generator) }
    }
    query.asFaults = !generator.chance(3)
    return query
  }

  /// Rarely with a deleted object: nothing can be saved until that relation is removed.
  private mutating func relation(among known: [ReferenceObject]) -> Action {
    let deleted = known.filter { $0.change == .deleted }
    if let object = deleted.randomElement(using: &generator), generator.chance(2) {
      return relation(of: object, among: known)
    }
    let living = known.filter { !$0.isDeleted }
    return living.isEmpty
      ? .processPendingChanges : relation(of: generator.pick(living), among: living)
  }

  private mutating func relation(
    of object: ReferenceObject, among known: [ReferenceObject]
  ) -> Action {
    func targets(_ kind: Kind?) -> [Int] { known.filter { $0.kind == kind }.map(\.n) }
    if generator.chance(2), let link = object.kind.links.randomElement(using: &generator) {
      let targets: [Int?] = targets(link.destination)
      return .relate(object.n, link, generator.pick(targets + [nil]))
    }
    guard let relation = object.kind.relations.randomElement(using: &generator) else {
      return .read(object.n)
    }
    guard let target = targets(relation.destination).randomElement(using: &generator) else {
      return .readMembers(object.n, relation)
    }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .readMembers(object.n, relation)
    case 1: return .remove(object.n, relation, target)
    default: return .add(object.n, relation, target)
    }
  }
}
