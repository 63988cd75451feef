import ObjectGraph
import SQLiteStore
import Support
import TestSupport

// A list story has two lists of one request, with and without a batch size. Both must be equal
// after each step, and tell the same changes.
//
//   one context    theirs ─ save ─ merge ─▶ mine: both lists       edits here, in a child and there
//   two contexts   theirs ─ save ─ merge ─▶ mine: with batches     edits there, and merges that are
//                                  merge ─▶ twin: without          late
//
// Steps name objects by a number modulo the number of candidates, so any steps can be left out.

enum ListEditor: Sendable {
  case mine, child, theirs
}

enum ListEdit: Sendable {
  case insert(Int?, Int?)
  case set(Int, Property, Int?)
  case delete(Int)
}

struct ListPlan: Sendable {
  enum Sections { case none, attribute, computed }

  var batchSize: Int
  var sections: Sections
  var isAscending: Bool
  /// Sorts by `b` too.
  var hasSecondTerm: Bool
  /// Only objects whose `b` is less.
  var below: Int?
  var limit: Int?
  var offset: Int
  var asFaults: Bool
}

enum ListAction: Sendable {
  case edit(ListEditor, ListEdit)
  case save(ListEditor)
  case merge(Int)
  case fetch(ListPlan)
  case read(Int)
  case processPendingChanges, obtainPermanentIDs, refreshAllObjects, rollback, reset, undo, redo
  case refresh(Int, mergeChanges: Bool)
}

struct ListStory: Sendable {
  let isTwin: Bool
  /// Whether rows may be read between a save and its merge. Such rows are in order when they and
  /// their neighbours were read, after the next event.
  let readsEarly: Bool
  /// Whether the lists' context has a parent, so that both read all rows.
  let isNested: Bool
  let rows: Int
  var steps: [ListAction]

  init(seed: UInt64, steps count: Int) {
    var generator = SplitMix64(seed: seed)
    isTwin = generator.chance(3)
    readsEarly = generator.chance(2)
    isNested = generator.chance(8)
    rows = Int.random(in: 0...40, using: &generator)
    steps =
      [.fetch(.random(using: &generator))]
      + (1..<count).map { _ in .random(using: &generator) }
  }
}

extension ListPlan {
  fileprivate static func random(using generator: inout SplitMix64) -> ListPlan {
    ListPlan(
      batchSize: .random(in: 1...6, using: &generator),
      sections: generator.pick([.none, .attribute, .attribute, .computed]),
      isAscending: generator.chance(2), hasSecondTerm: generator.chance(2),
      below: generator.chance(3) ? .random(in: 1...3, using: &generator) : nil,
      limit: generator.chance(5) ? .random(in: 1...20, using: &generator) : nil,
      offset: generator.chance(5) ? .random(in: 1...10, using: &generator) : 0,
      asFaults: generator.chance(2))
  }

  func request(isBatched: Bool) -> FetchRequest {
    let item = StoryModel.places(.item)
    var request = FetchRequest(
      item.entity, where: below.map { item.b < Int64($0) }, limit: limit)
    request.offset = offset
    request.sortTerms = [SortTerm(item.a.index, isAscending: isAscending)]
    if hasSecondTerm { request.sortTerms.append(item.b.descending) }
    if isBatched { request.batchSize = batchSize }
    return request
  }

  var key: SectionKey? {
    let column = StoryModel.places(.item).a.index
    switch sections {
    case .none: return nil
    case .attribute: return .column(column, isAscending: isAscending)
    case .computed:
      return .computed(isAscending: isAscending) {
        if case .int64(let a) = $0[column] { .int64(a / 3) } else { .null }
      }
    }
  }
}

extension ListAction {
  var isEdit: Bool { if case .edit = self { true } else { false } }

  fileprivate static func random(using generator: inout SplitMix64) -> ListAction {
    let number = Int.random(in: 0..<1000, using: &generator)
    let editor = generator.pick([ListEditor.mine, .mine, .child, .theirs, .theirs])
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<52: return .edit(editor, .random(number, using: &generator))
    case 52..<64: return .save(editor)
    case 64..<74: return .merge(number)
    case 74..<82: return .processPendingChanges
    case 82..<90: return .read(number)
    case 90..<93: return .refresh(number, mergeChanges: generator.chance(2))
    case 93: return .refreshAllObjects
    case 94: return .rollback
    case 95: return .reset
    case 96: return generator.chance(2) ? .undo : .redo
    case 97: return .obtainPermanentIDs
    default: return .fetch(.random(using: &generator))
    }
  }
}

extension ListEdit {
  fileprivate static func random(_ number: Int, using generator: inout SplitMix64) -> ListEdit {
    let value = generator.chance(6) ? nil : Int.random(in: 0..<9, using: &generator)
    let b = Int.random(in: 0..<4, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: return .insert(value, b)
    case 2: return .delete(number)
    case 3: return .set(number, .b, b)
    default: return .set(number, .a, value)
    }
  }
}

extension ListStory: Shortenable {
  var description: String {
    let place =
      isTwin
      ? "two contexts\(readsEarly ? ", reading early" : "")"
      : isNested ? "a child context" : "one context"
    let steps = steps.enumerated().map { "  \($0 + 1). \($1)" }
    return (["\(rows) rows, lists of \(place)"] + steps).joined(separator: "\n")
  }
}

struct ListStoryRunner {
  let stores: StoryStores
  var echoes = false
  var census = StoryCensus()

  /// The story is shrunk; nil if it passes.
  func failure(ofSeed seed: UInt64, steps: Int) throws -> StoryFailure<ListStory>? {
    if echoes { print("list story of seed \(seed)") }
    let story = ListStory(seed: seed, steps: steps)
    census.add(["edit of two lists": story.steps.count(where: \.isEdit)])
    guard let failure = try failure(of: story) else { return nil }
    return Shrinker { try? self.failure(of: $0) }.shrunk(failure)
  }

  private func failure(of story: ListStory) throws -> StoryFailure<ListStory>? {
    let store = try stores.store(.pool)
    store.isDirty = true
    let world = try ListWorld(story, over: store.coordinator)
    defer { world.end() }
    var told = story
    told.steps = []
    for step in story.steps {
      told.steps.append(step)
      if echoes { print("\(told.steps.count). \(step)") }
      let differences: [String]
      do { differences = try world.perform(step) } catch { differences = ["\(error)"] }
      if !differences.isEmpty { return StoryFailure(story: told, differences: differences) }
    }
    let differences = try world.differencesAtEnd()
    return differences.isEmpty ? nil : StoryFailure(story: told, differences: differences)
  }
}
