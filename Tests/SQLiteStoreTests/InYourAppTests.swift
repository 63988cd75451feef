import Foundation
import GRDB
import Testing

/// `CityDatabase.swift` is the GRDB code of Documentation/How-to/In-your-app.md.
@Suite struct InYourAppTests {
  @Test func `the page shows the code that is compiled here`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Documentation/How-to/In-your-app.md"), encoding: .utf8)
    let code = try String(
      contentsOf: folder.appending(path: "CityDatabase.swift"), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }

  @Test(.timeLimit(.minutes(1)))
  @MainActor func `main receives the list that GRDB fetched after the writes`() async throws {
    let folder = try TemporaryFolder()
    let database = try DatabasePool(path: folder.file("cities.sqlite").path)
    try await database.write { db in
      try db.create(table: "city") { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull().indexed()
      }
    }
    let old = (1...1_200).map { CityRecord(id: $0, name: "old \(10_000 - $0)") }
    try await database.write(old)
    let new = (1_000...1_300).map { CityRecord(id: $0, name: "new \(10_000 - $0)") }
    let expected = (old.prefix(999) + new).sorted { $0.name < $1.name }

    var lists = database.lists().makeAsyncIterator()
    #expect(try await lists.next() == old.sorted { $0.name < $1.name })
    try await database.write(new)
    // GRDB may hand over a list twice.
    while let list = try await lists.next(), list != expected {}
    #expect(try await database.read(CityRecord.fetchCount) == expected.count)
  }
}
