import ObjectGraph
import SQLiteStore

/// The steps of a file story up to the failing one, and what is wrong with the file.
struct FileStoryFailure: Error, CustomStringConvertible {
  let story: FileStory
  let differences: [String]

  var description: String {
    "\(story)\n" + differences.map { "  ✗ \($0)" }.joined(separator: "\n")
  }
}

/// Runs file stories.
struct FileStoryRunner {
  let stores: StoryStores
  var echoes = false

  /// The failure of a seed's story, shrunk; nil if it passes.
  func failure(ofSeed seed: UInt64, steps: Int) throws -> FileStoryFailure? {
    if echoes { print("file story of seed \(seed)") }
    guard let failure = try failure(of: FileStory(seed: seed, steps: steps)) else { return nil }
    return try shrunk(failure)
  }

  private func failure(of story: FileStory) throws -> FileStoryFailure? {
    let store = try stores.store(.pool)
    store.isDirty = true
    let world = FileWorld(story.contexts, over: [store.coordinator, try store.secondCoordinator()])
    defer { world.end() }
    var told = story
    told.steps = []
    for step in story.steps {
      told.steps.append(step)
      if echoes { print("context \(step.context): \(step.action)") }
      let differences: [String]
      do { differences = try world.perform(step, store.check) } catch { differences = ["\(error)"] }
      if !differences.isEmpty { return FileStoryFailure(story: told, differences: differences) }
    }
    return nil
  }

  /// Leaves out ever shorter runs of steps while the rest still fails.
  private func shrunk(_ found: FileStoryFailure) throws -> FileStoryFailure {
    var failure = found
    var length = max(1, failure.story.steps.count / 2)
    while true {
      let before = failure.story.steps.count
      var end = before
      while end > 0 {
        var story = failure.story
        story.steps.removeSubrange(max(0, end - length)..<end)
        if let shorter = try self.failure(of: story) { failure = shorter }
        end = min(end - length, failure.story.steps.count)
      }
      if length == 1 && failure.story.steps.count == before { return failure }
      length = max(1, length / 2)
    }
  }
}
