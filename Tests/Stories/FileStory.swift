import ObjectGraph
import Support
import TestSupport

// A file story has no reference. Contexts over two coordinators of one file edit, merge, undo and
// save at random. After each save plain SQL checks the file:
//
//   coordinator 0 ─ context 0 ─ context 2         the same file
//   coordinator 1 ─ context 1                     merges across, in any order
//
// Steps name objects by a number modulo the number of candidates, so any steps can be left out.

struct FileContext: Sendable {
  /// Smaller than its own index; nil for a coordinator.
  let parent: Int?
  let coordinator: Int
  let policy: MergePolicy
  let undoes: Bool
}

struct FileStep: Sendable {
  let context: Int
  let action: FileAction
}

enum FileAction: Sendable {
  case insert(Kind, code: Int?)
  case set(Int, Property, Int)
  case setCode(Int, Int)
  case relate(Int, Property, Int?)
  case add(Int, Relation, Int)
  case remove(Int, Relation, Int)
  case delete(Int)
  case fetch(Kind)
  case save
  case merge(Int)
  case processPendingChanges
  case undo, redo
  case refresh(Int, mergeChanges: Bool)
  case refreshAllObjects
  case rollback
  case letGo
}

struct FileStory: Sendable {
  var contexts: [FileContext] = []
  var steps: [FileStep] = []

  /// Two to five contexts, with at least three policies if possible.
  init(seed: UInt64, steps count: Int) {
    var generator = SplitMix64(seed: seed)
    let policies = MergePolicy.allCases.shuffled(using: &generator)
    for index in 0..<Int.random(in: 2...5, using: &generator) {
      let parent = index > 1 && generator.chance(2) ? generator.pick(Array(0..<index)) : nil
      contexts.append(
        FileContext(
          parent: parent, coordinator: parent.map { contexts[$0].coordinator } ?? index % 2,
          policy: policies[index % policies.count], undoes: generator.chance(2)))
    }
    steps = (0..<count).map { _ in
      FileStep(
        context: Int.random(in: 0..<contexts.count, using: &generator),
        action: .random(using: &generator))
    }
  }
}

extension FileAction {
  fileprivate static func random(using generator: inout SplitMix64) -> FileAction {
    let object = Int.random(in: 0..<1000, using: &generator)
    let other = Int.random(in: 0..<1000, using: &generator)
    let property = generator.pick([Property.leader, .group, .leads, .parent])
    let relation = generator.pick([Relation.items, .tags, .tagged, .children])
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<12:
      let code = generator.chance(2) ? Int.random(in: 1...6, using: &generator) : nil
      return .insert(generator.pick(Kind.allCases), code: code)
    case 12..<26: return .set(object, generator.pick([.a, .b]), other)
    case 26..<29: return .setCode(object, Int.random(in: 1...6, using: &generator))
    case 29..<43: return .relate(object, property, generator.chance(6) ? nil : other)
    case 43..<50: return .add(object, relation, other)
    case 50..<53: return .remove(object, relation, other)
    case 53..<57: return .delete(object)
    case 57..<64: return .fetch(generator.pick(Kind.allCases))
    case 64..<76: return .save
    case 76..<85: return .merge(object)
    case 85..<88: return .processPendingChanges
    case 88..<91: return .undo
    case 91: return .redo
    case 92..<95: return .refresh(object, mergeChanges: generator.chance(2))
    case 95: return .refreshAllObjects
    case 96: return .rollback
    case 97: return .letGo
    default: return .fetch(generator.pick(Kind.allCases))
    }
  }
}

extension FileStory: Shortenable {
  var description: String {
    let contexts = contexts.enumerated().map { index, context in
      "  context \(index) on "
        + (context.parent.map { "context \($0)" } ?? "coordinator \(context.coordinator)")
        + ", merge policy \(context.policy)" + (context.undoes ? ", with an undo manager" : "")
    }
    let steps = steps.enumerated().map { "  \($0 + 1). context \($1.context): \($1.action)" }
    return (contexts + steps).joined(separator: "\n")
  }
}
