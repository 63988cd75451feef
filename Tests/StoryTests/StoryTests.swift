import Foundation
import TestSupport
import Testing

@testable import story_soak

/// `scripts/soak --stories 1 --seed N` repeats a failing story.
@Suite("Stories of contexts, compared with a simple reference")
struct StoryTests {
  private static let shares = 2

  // Semantics 14, 16, 18, 22, 24, 25, 26, 27, 28, 39, 46, 53, 54, 55, 58, 61, 65, 67, 68, 70, 71
  // Semantics 72, 73, 74, 77, 79, 82, 83, 84, 85, 86, 89, 92, 94, 97, 103, 104
  @Test(arguments: 0..<shares)
  func `random stories behave like the reference`(share: Int) throws {
    let settings = StorySettings()
    let runner = StoryRunner(stores: StoryStores(), echoes: settings.echoes)
    try expectNoFailure(settings, share) { seed in
      try runner.failure(ofSeed: seed, steps: settings.steps).map(runner.shrunk)
    }
  }

  // Semantics 67, 85, 105
  @Test(arguments: 0..<shares)
  func `random stories over two coordinators leave a sound file`(share: Int) throws {
    let settings = StorySettings()
    let runner = FileStoryRunner(stores: StoryStores(), echoes: settings.echoes)
    try expectNoFailure(settings, share) { try runner.failure(ofSeed: $0, steps: settings.steps) }
  }

  // Semantics 113, 129, 130, 131
  @Test(arguments: 0..<shares)
  func `a list with a batch size equals one without in random stories`(share: Int) throws {
    let settings = StorySettings()
    let runner = ListStoryRunner(stores: StoryStores(), echoes: settings.echoes)
    // The release build of the soak takes all steps.
    try expectNoFailure(settings, share) {
      try runner.failure(ofSeed: $0, steps: max(1, settings.steps / 2))
    }
  }

  private func expectNoFailure<T>(
    _ settings: StorySettings, _ share: Int, _ failure: (UInt64) throws -> StoryFailure<T>?
  ) throws {
    for number in stride(from: share, to: settings.count, by: Self.shares) {
      let seed = settings.firstSeed &+ UInt64(number)
      guard let failure = try failure(seed) else { continue }
      Issue.record("seed \(seed), shrunk:\n\(failure)")
      return
    }
  }

  // The reference once took a kept relation for the store's, after a refresh of its object.
  @Test(arguments: [2_034_789, 2_042_229] as [UInt64])
  func `a story of a settled one-to-one relation behaves like the reference`(seed: UInt64) throws {
    let runner = StoryRunner(stores: StoryStores())
    #expect(throws: Never.self) { try runner.tell(seed: seed, steps: 100) }
  }

  // The reference forgot that a deleted object's rules awaited its other relation; and it let an
  // object lead to a new one that was deleted.
  @Test(arguments: [704_841, 706_514] as [UInt64])
  func `a story of a relation to a deleted object behaves like the reference`(seed: UInt64) throws {
    let runner = StoryRunner(stores: StoryStores())
    #expect(throws: Never.self) { try runner.tell(seed: seed, steps: 100) }
  }

  // A child edited an object that a row with its code had replaced in the parent; or one whose row
  // took another object's place, before the child knew the row's ID.
  @Test(arguments: [3_007_682, 3_050_031] as [UInt64])
  func `a story of a row that takes another object's values leaves a sound file`(
    seed: UInt64
  ) throws {
    let runner = FileStoryRunner(stores: StoryStores())
    #expect(try runner.failure(ofSeed: seed, steps: 100) == nil)
  }

  // A merge announced a refreshed object, whose row the list had not read, as inserted.
  @Test func `a story of an object that is refreshed and inserted has equal lists`() throws {
    let runner = ListStoryRunner(stores: StoryStores())
    #expect(try runner.failure(ofSeed: 3_055_447, steps: 100) == nil)
  }

  @Test func `a seed gives the same story again`() throws {
    let runner = StoryRunner(stores: StoryStores())
    let stories = try ([7, 7, 8] as [UInt64]).map {
      try runner.tell(seed: $0, steps: 60).description
    }
    #expect(stories[0] == stories[1])
    #expect(stories[0] != stories[2])
  }

  @Test func `the next stories remove the folder of killed ones`() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardErrorContent]
    ) {
      let runner = StoryRunner(stores: StoryStores())
      _ = try runner.tell(seed: 7, steps: 1)
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let link = "/proc/self/fd/\(name)"
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        if let file { FileHandle.standardError.write(Data("\n\(file)\n".utf8)) }
      }
      withExtendedLifetime(runner) { _ = kill(getpid(), SIGKILL) }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let file = try #require(
      text.split(separator: "\n").first { $0.hasSuffix("/stories.sqlite") }, "\(text)")
    _ = try StoryRunner(stores: StoryStores()).tell(seed: 7, steps: 1)
    #expect(!FileManager.default.fileExists(atPath: String(file)))
  }

  @Test(arguments: Slip.allCases)
  func `a wrong reference is detected by a short story`(slip: Slip) throws {
    let wrong = StoryRunner(stores: StoryStores(), slip: slip)
    var found = try wrong.failure(ofSeed: 0, steps: 100)
    for seed in 1..<400 as Range<UInt64> where found == nil {
      found = try wrong.failure(ofSeed: seed, steps: 100)
    }
    let failure = wrong.shrunk(try #require(found, "400 stories do not notice: \(slip)"))
    #expect(failure.story.steps.count <= 16, "\(failure)")
    #expect(throws: Never.self) { try StoryRunner(stores: StoryStores()).tell(failure.story) }
  }
}

/// By default each run uses the same stories, so that results depend on the change alone. The
/// environment may ask for more stories, or for a single one.
struct StorySettings {
  let firstSeed: UInt64
  let count: Int
  let steps: Int
  /// Finds a step that stops the program.
  let echoes: Bool

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    firstSeed = environment["STORY_SEED"].flatMap { UInt64($0) } ?? 1
    count = environment["STORY_COUNT"].flatMap { Int($0) } ?? RandomRuns.share(of: 400)
    steps = environment["STORY_STEPS"].flatMap { Int($0) } ?? 100
    echoes = environment["STORY_ECHO"] == "1"
  }
}
