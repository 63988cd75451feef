// How a list changes. Three groups: entries that nothing happened to are *kept*, in their order;
// entries that changed but stay are taken out and put in again beside those that enter; the others
// leave. An entry's *rank* is the number of kept entries before it:
//
//   before   A  b  C  d  E        (capitals: kept)          ranks   b 1, d 2
//   after    A  C  d' b' E        b changed its key                 d' 2, b' 2
//
// d has its old rank and is an update; b has another one and is a move. Among entries of one rank
// only those move that are not on a longest run in the old order. So replaying the changes on the
// old array gives the new one.

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

  private struct Old {
    let index: Int
    let rank: Int
  }

  private struct Placed {
    let entry: ListEntry
    let old: Old?
    let rank: Int
    let index: Int
  }

  /// - Parameter placed: entries that stay with a new row, or enter.
  init(
    _ before: [ListEntry], removing leaving: [ManagedObject], placing placed: [ListEntry],
    by descriptors: [SortDescriptor]
  ) {
    for object in leaving { object.state.insert(.marked) }
    for entry in placed { entry.object.state.insert(.marked) }
    let (kept, old) = Self.split(before)
    for object in leaving { object.state.remove(.marked) }
    for entry in placed { entry.object.state.remove(.marked) }

    let sorted = placed.sorted { $0.precedes($1, by: descriptors) }
    let positions = merge(kept, sorted, old: old, by: descriptors)
    describe(leaving.compactMap { old[ObjectIdentifier($0)]?.index }, positions)
  }

  /// The unmarked entries, and where the marked ones were.
  private static func split(
    _ before: [ListEntry]
  ) -> (kept: [ListEntry], old: [ObjectIdentifier: Old]) {
    var kept: [ListEntry] = []
    kept.reserveCapacity(before.count)
    var old: [ObjectIdentifier: Old] = [:]
    for (index, entry) in before.enumerated() {
      if entry.object.state.contains(.marked) {
        old[ObjectIdentifier(entry.object)] = Old(index: index, rank: kept.count)
      } else {
        kept.append(entry)
      }
    }
    return (kept, old)
  }

  private mutating func merge(
    _ kept: [ListEntry], _ sorted: [ListEntry], old: [ObjectIdentifier: Old],
    by descriptors: [SortDescriptor]
  ) -> [Placed] {
    entries.reserveCapacity(kept.count + sorted.count)
    var rank = 0
    return sorted.map { entry in
      let next = kept.partitioningIndex(from: rank) { entry.precedes($0, by: descriptors) }
      entries += kept[rank..<next]
      rank = next
      entries.append(entry)
      return Placed(
        entry: entry, old: old[ObjectIdentifier(entry.object)], rank: rank,
        index: entries.count - 1)
    }
    .also { entries += kept[rank...] }
  }

  private mutating func describe(_ deletions: [Int], _ placed: [Placed]) {
    changes.deletions = deletions.sorted()
    var group: [Placed] = []
    for item in placed {
      guard let old = item.old else {
        changes.insertions.append(item.index)
        continue
      }
      guard old.rank == item.rank else {
        changes.moves.append(.init(from: old.index, to: item.index))
        continue
      }
      if let last = group.last, last.rank != item.rank { closeGroup(&group) }
      group.append(item)
    }
    closeGroup(&group)
    changes.moves.sort { $0.to < $1.to }
    changes.updates.sort()
  }

  /// Of entries that kept their rank, those on a longest run in the old order are updates.
  private mutating func closeGroup(_ group: inout [Placed]) {
    let staying = longestIncreasingRun(group.compactMap { $0.old?.index })
    for item in group {
      guard let old = item.old else { continue }
      if staying.contains(old.index) {
        changes.updates.append(old.index)
      } else {
        changes.moves.append(.init(from: old.index, to: item.index))
      }
    }
    group.removeAll(keepingCapacity: true)
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

  fileprivate func also(_ then: () -> Void) -> Self {
    then()
    return self
  }
}

/// A longest strictly increasing subsequence of distinct numbers, by patience sorting.
private func longestIncreasingRun(_ numbers: [Int]) -> Set<Int> {
  var tails: [Int] = []  // positions of the smallest ends of runs, by length
  var previous = [Int?](repeating: nil, count: numbers.count)
  for (position, number) in numbers.enumerated() {
    let length = tails.firstIndex { numbers[$0] >= number } ?? tails.count
    previous[position] = length > 0 ? tails[length - 1] : nil
    if length == tails.count { tails.append(position) } else { tails[length] = position }
  }
  var run: Set<Int> = []
  var position = tails.last
  while let current = position {
    run.insert(numbers[current])
    position = previous[current]
  }
  return run
}
