/// Makes a failing story short: leaves out steps, in ever smaller runs, as long as what is left still
/// fails (Zeller and Hildebrandt's delta debugging), and then contexts in which nothing happens.
struct Shrinker {
  let fails: (Story) -> StoryFailure?

  func shrunk(_ failure: StoryFailure) -> StoryFailure {
    var failure = failure
    var length = max(1, failure.story.steps.count / 2)
    while true {
      let before = failure.story.steps.count
      leaveOut(runsOf: length, from: &failure)
      if length == 1 && failure.story.steps.count == before { return failure }
      length = max(1, length / 2)
    }
  }

  private func leaveOut(runsOf length: Int, from failure: inout StoryFailure) {
    var end = failure.story.steps.count
    while end > 0 {
      let start = max(0, end - length)
      var story = failure.story
      story.steps.removeSubrange(start..<end)
      // What fails may have ended earlier than before.
      if let shorter = fails(story) { failure = shorter }
      end = min(start, failure.story.steps.count)
    }
  }
}
