import Foundation
import Queues
import Support
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Sorts as readers expect")
struct LocalizedSortTests {
  private static let names = [
    "file10", "File 2", "file2", "Äpfel", "apfel", "Zebra", "zebra", "Ångström", "", "straße",
    "strasse", "co-op", "coop", "é", "e\u{301}", "e", "ﬁ", "fi", "ｱ", "ア", "北京", "😀", "a1", "a01",
  ]
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore()
    try store.fill(Self.names.enumerated().map { City.values(Int64($0), $1) })
    context = store.context()
  }

  private func sorted(by term: SortTerm) throws -> [String] {
    try context.performAndWait {
      try context.fetch(FetchRequest(City.entity, sortedBy: [term])).map { $0[City.name] }
    }
  }

  // Semantics 99
  @Test func `numbers count by value, and letters as in a dictionary`() throws {
    let names = try sorted(by: City.name.ascending.localized())
    func expectOrder(_ a: String, _ b: String) {
      #expect((names.firstIndex(of: a) ?? -1) < (names.firstIndex(of: b) ?? -1), "\(a), \(b)")
    }
    expectOrder("file2", "file10")
    expectOrder("apfel", "Äpfel")
    expectOrder("Äpfel", "zebra")
    expectOrder("Ångström", "Zebra")
    expectOrder("File 2", "file10")
    #expect(names.first == "")
  }

  // Semantics 99
  @Test func `texts that differ in case only are equal, and sort by the next term`() throws {
    let term = City.name.ascending.localized(.localizedCaseInsensitive)
    try context.performAndWait { () throws in
      let request = FetchRequest(
        City.entity, where: City.name.equals("zebra", .caseInsensitive),
        sortedBy: [term, City.key.descending])
      #expect(try context.fetch(request).map { $0[City.name] } == ["zebra", "Zebra"])
    }
  }

  // Semantics 99
  @Test(arguments: TextComparison.allCases, [true, false])
  func `SQL, pending objects and a list agree`(
    comparison: TextComparison, isAscending: Bool
  ) throws {
    let term = (isAscending ? City.name.ascending : City.name.descending).localized(comparison)
    let request = FetchRequest(City.entity, sortedBy: [term, City.key.ascending])
    try context.performAndWait {
      let stored = try context.fetch(request).map { $0[City.key] }
      let list = FetchedResultsController(request, in: context)
      try list.performFetch()
      let all = list.fetchedObjects
      #expect([term, City.key.ascending].sorted(all.shuffled()) == all)
      for city in all { city[City.population] = 1 }
      #expect(try context.fetch(request).map { $0[City.key] } == stored)
      // Each entry is taken out and placed again.
      for city in all.shuffled() {
        let name = city[City.name]
        city[City.name] = "m"
        context.processPendingChanges()
        city[City.name] = name
        context.processPendingChanges()
      }
      #expect(list.fetchedObjects.map { $0[City.key] } == stored)
    }
  }

  /// Without letters such as ß and Æ: see `TextComparison`.
  @Test(arguments: [TextComparison.localized, .localizedCaseInsensitive])
  func `the order of random texts has no cycle`(comparison: TextComparison) {
    var random = SplitMix64(seed: 1)
    let letters = Array("aAäÄbzZéÅøñ1209 -_北😀")
    func text() -> String {
      String((0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(letters) })
    }
    for _ in 0..<5000 {
      let (a, b, c) = (text(), text(), text())
      let (ab, bc, ac) = (comparison.order(a, b), comparison.order(b, c), comparison.order(a, c))
      #expect(comparison.order(b, a) == -ab, "\(a) \(b), \(random)")
      if ab <= 0, bc <= 0 { #expect(ac <= 0, "\(a) \(b) \(c), \(random)") }
    }
  }

  @Test func `sections follow their objects in a localized order`() throws {
    try context.performAndWait {
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [City.name.ascending.localized()]), in: context,
        sections: .attribute(City.name))
      try list.performFetch()
      #expect(list.sections.map(\.name) == list.fetchedObjects.map { $0[City.name] })
    }
  }
}
