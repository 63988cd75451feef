import Foundation
import Repeats
import Support
import Testing
import Workload

/// Mistakes in a scenario's fields that only its model or its rows show.
struct ScenarioMistakesTests {
  private let folder = TemporaryFolder()

  /// The last three lines are 17 to 19. All books go, and their cover stays.
  private static let yaml = """
    asks: Where is the mistake?
    entity:
      name: Book
      key: id
      attributes: { id: int64, title: string }
      references: [cover]

    others:
      Cover: { key: code, rows: 1 }
    model:
      Book:
        relationships:
          cover: { to_one: Cover, inverse: books, optional: false }
      Cover:
        attributes: { code: string }
        relationships: { books: { to_many: Book, inverse: cover } }
    generate: { rows: 4, deletes: 4 }
    changes:
      deletions: explicit
    """

  private func scenario(_ old: String, _ new: String, set: [String] = []) throws -> Scenario {
    #expect(Self.yaml.contains(old), "the fixture no longer holds '\(old)'")
    let file = folder.path("books.yaml")
    try Self.yaml.replacing(old, with: new).write(toFile: file, atomically: true, encoding: .utf8)
    return try #require(try Scenario.load(file: file, set: set).first)
  }

  private func problem(of scenario: Scenario) -> String {
    let error = #expect(throws: InputError.self) {
      _ = try StoreModel(scenario)
      _ = try Workload.make(scenario, seed: 1)
    }
    return error?.description ?? ""
  }

  @Test(arguments: [
    ("changes:", "list:\n  where: pages > 1\nchanges:", "19: field 'list.where': "),
    (
      "changes:", "list:\n  prefetch: [owner]\nchanges:",
      "19: field 'list.prefetch': Book has no relationship 'owner'"
    ),
    (
      "changes:", "list:\n  reads: [cover.colour]\nchanges:",
      "19: field 'list.reads': 'cover.colour': Cover has no stored attribute 'colour'"
    ),
    (
      "changes:", "user:\n  counts_per_s: 5\n  count_where: pages > 1\nchanges:",
      "20: field 'user.count_where': "
    ),
    (
      "changes:", "user:\n  searches_per_s: 5\n  search_where: title == 'a'\nchanges:",
      "20: field 'user.search_where': needs `$text`"
    ),
    (
      "changes:", "user:\n  searches_per_s: 5\n  search_where: title MATCHES $text\nchanges:",
      "20: field 'user.search_where': must accept any typed text, but '(' is no regular expression"
    ),
    (
      "changes:", "user:\n  searches_per_s: 5\n  search_where: title == $text\nchanges:",
      "19: field 'user.searches_per_s': no row is there before and after, so none can be searched"
    ),
    (
      "deletions: explicit", "stream: arrivals\n  delete_where: pages > 1",
      "20: field 'changes.delete_where': "
    ),
    (
      "inverse: books,", "inverse: books, delete_rule: cascade,",
      "19: field 'changes.deletions': the delete rules also delete or change rows of Cover that stay in the data; correct the rules"
    ),
    (
      "inverse: books, optional: false", "inverse: books, delete_rule: cascade",
      "19: field 'changes.deletions': the delete rules also delete or change rows of Cover that stay in the data; set it to by-rule, or correct the rules"
    ),
    (
      "deletions: explicit", "deletions: without-rules",
      "19: field 'changes.deletions': 'without-rules' needs a delete rule that reaches other rows"
    ),
    (
      "changes:",
      "store:\n  version: previous\n  changes_since:\n    - { added: Book.title }\nchanges:",
      "20: field 'store.changes_since': no migration can follow: 'Book.title' must have a value"
    ),
  ])
  func `a mistake that only the model or the rows show is refused at its line`(
    old: String, new: String, place: String
  ) throws {
    let scenario = try scenario(old, new)
    let problem = problem(of: scenario)
    #expect(problem.hasPrefix("\(scenario.file):\(place)"), "\(problem)")
  }

  @Test func `the same mistake by a flag names the flag`() throws {
    let flag = "list.prefetch=[owner]"
    let scenario = try scenario(
      "changes:", "list:\n  prefetch: [cover]\nchanges:", set: [flag])
    let problem = problem(of: scenario)
    #expect(problem.hasPrefix("--set \(flag): Book has no relationship 'owner'"), "\(problem)")
  }
}
