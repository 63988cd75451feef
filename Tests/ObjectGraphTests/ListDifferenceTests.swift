import Support
import Queues
import TestSupport
import Testing

@testable import ObjectGraph

/// Compares the in-place difference with sorting again and looking up each object's old index.
@Suite("The difference of a list")
struct ListDifferenceTests {
  private static let terms = [City.population.ascending, City.name.descending]

  // Semantics 112, 113
  @Test(arguments: RandomRuns.seeds(300))
  func `the in-place difference equals the difference of a new sort`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try TestStore()
    let context = store.context()
    try context.performAndWait {
      let count = Int.random(in: 0...20, using: &random)
      let list = SortedEntries(
        (0..<count).map { _ in Self.entry(of: nil, in: context, &random) }
          .sorted { $0.precedes($1, by: Self.terms) }, by: Self.terms)
      for step in 0..<10 {
        let before = list.all
        let event = Self.event(on: before, in: context, &random)
        var difference = ListDifference(
          of: list, removing: event.leaving.map(\.object), placing: event.placed)
        difference.apply(to: list)
        let entries = list.all
        let expected = Self.expected(before, event)
        let changes = difference.changes
        try #require(entries.map(\.object) == expected.objects, "seed \(seed), step \(step)")
        try #require(changes == expected.changes, "seed \(seed), step \(step)")
        let replayed = Self.replay(changes, on: before.map(\.object), to: entries.map(\.object))
        try #require(replayed == expected.objects, "seed \(seed), step \(step)")
        try #require(entries.isSorted(by: Self.terms))
      }
    }
  }

  private struct Event {
    var leaving: [ListEntry] = []
    var placed: [ListEntry] = []
  }

  /// Entries leave, change or enter. Sometimes only a rank changes.
  private static func event(
    on entries: [ListEntry], in context: ManagedObjectContext, _ random: inout SplitMix64
  ) -> Event {
    var event = Event()
    let share = random.pick([1, 2, 4, 16])
    for old in entries where random.chance(share) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: event.leaving.append(old)
      case 1: event.placed.append(old)
      case 2:
        var entry = old
        entry.rank = random.next() >> 1
        event.placed.append(entry)
      default: event.placed.append(entry(of: old.object, in: context, &random))
      }
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      event.placed.append(entry(of: nil, in: context, &random))
    }
    event.placed.shuffle(using: &random)
    return event
  }

  /// The set of values is small, so many entries are equal.
  private static func entry(
    of object: ManagedObject?, in context: ManagedObjectContext, _ random: inout SplitMix64
  ) -> ListEntry {
    let values = City.values(
      0, random.pick(["a", "b", "c"]), population: .random(in: 0..<4, using: &random))
    return ListEntry(
      object: object ?? context.insert(City.entity, values: values), row: values,
      abbreviation: terms[0].abbreviation(of: values))
  }

  private static func expected(
    _ before: [ListEntry], _ event: Event
  ) -> (objects: [ManagedObject], changes: ListChanges) {
    let touched = Set((event.leaving + event.placed).map(\.object))
    let after = (before.filter { !touched.contains($0.object) } + event.placed)
      .sorted { $0.precedes($1, by: terms) }
    var changes = ListChanges()
    let leaving = Set(event.leaving.map(\.object))
    changes.deletions = before.indices.filter { leaving.contains(before[$0].object) }
    for (to, entry) in after.enumerated() where touched.contains(entry.object) {
      guard let from = before.firstIndex(where: { $0.object === entry.object }) else {
        changes.insertions.append(to)
        continue
      }
      let old = before[from]
      if old.precedes(entry, by: terms) || entry.precedes(old, by: terms) {
        changes.moves.append(.init(from: from, to: to))
      } else {
        changes.updates.append(from)
      }
    }
    changes.updates.sort()
    return (after.map(\.object), changes)
  }

  private static func replay(
    _ changes: ListChanges, on before: [ManagedObject], to after: [ManagedObject]
  ) -> [ManagedObject] {
    var objects = before
    for index in (changes.deletions + changes.moves.map(\.from)).sorted(by: >) {
      objects.remove(at: index)
    }
    for index in (changes.insertions + changes.moves.map(\.to)).sorted() {
      objects.insert(after[index], at: index)
    }
    return objects
  }
}

extension SortedEntries {
  fileprivate var all: [ListEntry] {
    var entries: [ListEntry] = []
    forEach { entries.append($0) }
    return entries
  }
}
