import Testing

/// Random models with random edits. All rows must survive the migrations.
@Suite struct MigrationAgreementTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, UInt64.random(in: 7...UInt64.max)])
  func `rows survive repeated migrations`(seed: UInt64) throws {
    var story = try MigrationStory(seed: seed)
    for round in 1...12 {
      try story.write()
      for _ in 0..<Int.random(in: 1...5, using: &story.generator) { story.edit() }
      let differences = try story.differences()
      guard differences.isEmpty else {
        Issue.record("seed \(seed), round \(round): \(differences.joined(separator: "\n"))")
        return
      }
    }
    #expect(story.objects.compactMap(\.self).count > 10)
  }
}
