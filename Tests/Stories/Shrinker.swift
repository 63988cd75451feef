/// A story whose steps can be left out.
protocol Shortenable: CustomStringConvertible, Sendable {
  associatedtype Part
  var steps: [Part] { get set }
}

struct StoryFailure<Told: Shortenable>: Error, CustomStringConvertible {
  let story: Told
  let differences: [String]

  var description: String {
    "\(story)\n" + differences.map { "  ✗ \($0)" }.joined(separator: "\n")
  }
}

/// Leaves out ever shorter runs of steps while the rest still fails (Zeller and Hildebrandt's delta
/// debugging).
struct Shrinker<Told: Shortenable> {
  let fails: (Told) -> StoryFailure<Told>?

  func shrunk(_ failure: StoryFailure<Told>) -> StoryFailure<Told> {
    var failure = failure
    var length = max(1, failure.story.steps.count / 2)
    while true {
      let before = failure.story.steps.count
      leaveOut(runsOf: length, from: &failure)
      if length == 1 && failure.story.steps.count == before { return failure }
      length = max(1, length / 2)
    }
  }

  private func leaveOut(runsOf length: Int, from failure: inout StoryFailure<Told>) {
    var end = failure.story.steps.count
    while end > 0 {
      let start = max(0, end - length)
      var story = failure.story
      story.steps.removeSubrange(start..<end)
      if let shorter = fails(story) { failure = shorter }
      end = min(start, failure.story.steps.count)
    }
  }
}
