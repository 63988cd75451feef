import ObjectGraph
import SQLiteStore

struct FileStoryRunner {
  let stores: StoryStores
  var echoes = false

  /// The story is shrunk; nil if it passes.
  func failure(ofSeed seed: UInt64, steps: Int) throws -> StoryFailure<FileStory>? {
    if echoes { print("file story of seed \(seed)") }
    guard let failure = try failure(of: FileStory(seed: seed, steps: steps)) else { return nil }
    return Shrinker { try? self.failure(of: $0) }.shrunk(failure)
  }

  private func failure(of story: FileStory) throws -> StoryFailure<FileStory>? {
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
      if !differences.isEmpty { return StoryFailure(story: told, differences: differences) }
    }
    return nil
  }
}
