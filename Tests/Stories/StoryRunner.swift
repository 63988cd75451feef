import Support
import Foundation
import ObjectGraph
import SQLiteStore
import TestSupport

/// Runs stories on core and reference, and compares both after each step.
struct StoryRunner {
  let stores: StoryStores
  var slip: Slip?
  var echoes = false
  let census = StoryCensus()

  /// - Returns: the story.
  /// - Throws: `StoryFailure`.
  @discardableResult
  func tell(seed: UInt64, steps: Int) throws -> Story {
    var generator = SplitMix64(seed: seed)
    let story = Story(&generator)
    var drawing = StepDrawing(generator, ofSeed: seed)
    return try tell(story, steps) { _, reference in drawing.step(in: reference) }
  }

  func failure(ofSeed seed: UInt64, steps: Int) throws -> StoryFailure<Story>? {
    if echoes { print("seed \(seed)") }
    return try failure { try tell(seed: seed, steps: steps) }
  }

  func shrunk(_ failure: StoryFailure<Story>) -> StoryFailure<Story> {
    Shrinker { story in try? self.failure { try tell(story) } }.shrunk(failure)
  }

  private func failure(_ body: () throws -> Void) throws -> StoryFailure<Story>? {
    do {
      try body()
      return nil
    } catch let failure as StoryFailure<Story> {
      // It may have left rows in the row cache, which would fail the next story.
      stores.forget(failure.story.mode)
      return failure
    }
  }

  func tell(_ story: Story) throws {
    let steps = story.steps
    var start = story
    start.steps = []
    try tell(start, steps.count) { index, _ in steps[index] }
  }

  @discardableResult
  private func tell(
    _ start: Story, _ count: Int, _ next: (Int, ReferenceWorld) -> Step
  ) throws -> Story {
    var story = start
    let store = try stores.store(story.mode)
    try telling(&story, count, over: store, next)
    let left = store.coordinator.cachedObjectCount
    guard left == 0 else {
      throw StoryFailure(
        story: story, differences: ["\(left) objects are in the row cache and in no context"])
    }
    return story
  }

  private func telling(
    _ story: inout Story, _ count: Int, over store: StoryStore,
    _ next: (Int, ReferenceWorld) -> Step
  ) throws {
    let reference = ReferenceWorld(story.tree, slip: slip)
    let core = CoreWorld(story.tree, over: store.coordinator)
    defer { store.isDirty = true }
    for index in 0..<count {
      let step = next(index, reference)
      guard reference.applies(step) else { continue }
      story.steps.append(step)
      if echoes { print("\(story.steps.count). \(step)") }
      let isThorough = index % 10 == 9 || index == count - 1
      let differences =
        try perform(step, reference, core, isThorough: isThorough)
        + storeDifferences(after: step, reference, store, core)
      if !differences.isEmpty { throw StoryFailure(story: story, differences: differences) }
    }
  }

  private func perform(
    _ step: Step, _ reference: ReferenceWorld, _ core: CoreWorld, isThorough: Bool
  ) throws -> [String] {
    let found = core.perform(step)
    let expected = reference.perform(step)
    core.reset(reference.resets)
    census.count(step, reference.rarities)
    let asked = [reference.contexts[step.context]] + reference.followers
    // The order matters: the context that assigns an ID has it first.
    let touched = asked.flatMap { [$0] + $0.ancestors }.map(\.index) + reference.resets
    for index in touched { core.hold(index) }
    var differences: [String] = []
    if found != expected { differences.append("outcome: \(found) instead of \(expected)") }
    let events = core.takeEvents()
    if events != reference.events {
      differences.append("told: \(events)\n      instead of \(reference.events)")
    }
    for context in reference.contexts where isThorough || touched.contains(context.index) {
      differences += Comparison(context, core).differences
    }
    return differences
  }

  private func storeDifferences(
    after step: Step, _ reference: ReferenceWorld, _ store: StoryStore, _ core: CoreWorld
  ) throws -> [String] {
    guard case .save = step.action, reference.contexts[step.context].parent == nil else {
      return []
    }
    return try store.differences(from: reference.store) { core.name($0) }
  }
}
