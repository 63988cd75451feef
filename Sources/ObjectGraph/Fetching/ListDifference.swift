// How a list changes. Entries that nothing happened to are *kept*, in their order; entries that
// changed but stay are taken out and put in again, beside those that enter; the others leave:
//
//   before   A  b  C  d  E        (capitals: kept)
//   kept     A     C     E
//   after    A  C  d' b' E        b has another key: a move; d has the same: an update
//
// An entry of the same key has its old place among the kept and among its like, so replaying the
// changes on the old array gives the new one.

/// One object of a list and the row that it is sorted by.
struct ListEntry {
  let object: ManagedObject
  let row: ContiguousArray<Value>

  func precedes(_ other: ListEntry, by descriptors: [SortDescriptor]) -> Bool {
    let order = descriptors.order(row, other.row)
    return order == 0 ? object.objectID.number < other.object.objectID.number : order < 0
  }
}

/// What changed in a list, as a table view wants it: `deletions`, `updates` and the origins of moves
/// are indexes in the old list, `insertions` and the targets of moves in the new one; all ascending
/// but the moves' origins.
///
/// Replaying: take out the deletions and the moves' origins, highest first; put in the insertions
/// and the moves' targets, lowest first.
public struct ListChanges: Sendable, Equatable {
  public struct Move: Sendable, Equatable {
    public let from: Int
    public let to: Int
  }

  public internal(set) var deletions: [Int] = []
  public internal(set) var insertions: [Int] = []
  public internal(set) var moves: [Move] = []
  public internal(set) var updates: [Int] = []

  /// How many changes; a move counts once.
  public var count: Int { deletions.count + insertions.count + moves.count + updates.count }
}

struct ListDifference {
  private(set) var entries: [ListEntry] = []
  private(set) var changes = ListChanges()
  private let descriptors: [SortDescriptor]

  private struct Old {
    let index: Int
    let entry: ListEntry
  }

  /// - Parameter placed: entries that stay with a new row, or enter.
  init(
    _ before: [ListEntry], removing leaving: [ManagedObject], placing placed: [ListEntry],
    by descriptors: [SortDescriptor]
  ) {
    self.descriptors = descriptors
    let changed = leaving + placed.map(\.object)
    for object in changed { object.state.insert(.marked) }
    let (kept, old) = Self.split(before)
    for object in changed { object.state.remove(.marked) }

    changes.deletions = leaving.compactMap { old[ObjectIdentifier($0)]?.index }.sorted()
    merge(before, kept, placed.sorted { $0.precedes($1, by: descriptors) }, old: old)
    changes.updates.sort()
  }

  /// The places of the unmarked entries, and where the marked ones were. Places and not entries, so
  /// that a long list is copied once and not twice.
  private static func split(
    _ before: [ListEntry]
  ) -> (kept: [Int32], old: [ObjectIdentifier: Old]) {
    var kept: [Int32] = []
    kept.reserveCapacity(before.count)
    var old: [ObjectIdentifier: Old] = [:]
    for index in before.indices {
      let object = before[index].object
      if object.state.contains(.marked) {
        old[ObjectIdentifier(object)] = Old(index: index, entry: before[index])
      } else {
        kept.append(Int32(truncatingIfNeeded: index))
      }
    }
    return (kept, old)
  }

  private mutating func merge(
    _ before: [ListEntry], _ kept: [Int32], _ placed: [ListEntry], old: [ObjectIdentifier: Old]
  ) {
    entries.reserveCapacity(kept.count + placed.count)
    var rank = 0
    for entry in placed {
      let next = kept.partitioningIndex(from: rank) {
        entry.precedes(before[Int($0)], by: descriptors)
      }
      for place in kept[rank..<next] { entries.append(before[Int(place)]) }
      rank = next
      describe(entry, at: entries.count, old: old[ObjectIdentifier(entry.object)])
      entries.append(entry)
    }
    for place in kept[rank...] { entries.append(before[Int(place)]) }
  }

  private mutating func describe(_ entry: ListEntry, at index: Int, old: Old?) {
    guard let old else { return changes.insertions.append(index) }
    if descriptors.order(old.entry.row, entry.row) == 0 {
      changes.updates.append(old.index)
    } else {
      changes.moves.append(.init(from: old.index, to: index))
    }
  }
}

extension Array {
  /// The first index from `start` on for which `belongs` holds, in an array where all for which it
  /// holds come last.
  fileprivate func partitioningIndex(from start: Int, where belongs: (Element) -> Bool) -> Int {
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
