// Computes how a list changes, in place. Unchanged entries are *kept* in order. Changed entries are
// taken out and inserted again, together with new ones; the others are removed:
//
//   before   A  b  C  d  E        capitals: kept
//   kept     A  C  E  ·  ·        at the front; entries taken out are behind them
//   after    A  C  d' b' E        b has another key: a move; d has the same key: an update
//
// An entry with the same key and rank keeps its position among the kept and among its equals.
// Replaying the changes on the old array therefore gives the new one. Entries are swapped, not
// copied: copying a long list would count the references of all entries.

struct ListDifference {
  private(set) var changes = ListChanges()
  /// The removed and changed entries by their old indexes.
  private(set) var taken: [Int: ListEntry] = [:]
  private let terms: [SortTerm]
  private var oldIndexes: [ObjectIdentifier: Int] = [:]

  /// Changes the entries, which are sorted by the terms.
  ///
  /// - Parameter placed: new entries, and entries that stay with a new row.
  init(
    of entries: inout [ListEntry], removing leaving: [ManagedObject], placing placed: [ListEntry],
    by terms: [SortTerm]
  ) {
    self.terms = terms
    takeOut(leaving + placed.map(\.object), from: &entries)
    changes.deletions = leaving.compactMap { oldIndexes[ObjectIdentifier($0)] }.sorted()
    put(placed.sorted { $0.precedes($1, by: terms) }, into: &entries)
    changes.updates.sort()
  }

  private mutating func takeOut(_ objects: [ManagedObject], from entries: inout [ListEntry]) {
    for object in objects { object.state.insert(.marked) }
    let kept = entries.withUnsafeMutableBufferPointer { entries in
      var kept = 0
      for index in entries.indices {
        if entries[index].object.state.contains(.marked) {
          taken[index] = entries[index]
        } else {
          if kept < index { entries.swapAt(kept, index) }
          kept += 1
        }
      }
      return kept
    }
    for object in objects { object.state.remove(.marked) }
    entries.removeSubrange(kept...)
    for (index, entry) in taken { oldIndexes[ObjectIdentifier(entry.object)] = index }
  }

  /// Inserts from the back, so that every kept entry moves once, into the free positions.
  private mutating func put(_ placed: [ListEntry], into entries: inout [ListEntry]) {
    var end = entries.count
    entries += placed
    var indexes = [Int](repeating: 0, count: placed.count)
    entries.withUnsafeMutableBufferPointer { entries in
      for (free, entry) in placed.enumerated().reversed() {
        let target = entries.index(for: entry, before: end, by: terms)
        for index in (target..<end).reversed() { entries.swapAt(index, index + free + 1) }
        entries[target + free] = entry
        indexes[free] = target + free
        end = target
      }
    }
    for (entry, index) in zip(placed, indexes) { describe(entry, at: index) }
  }

  private mutating func describe(_ entry: ListEntry, at index: Int) {
    guard let oldIndex = oldIndexes[ObjectIdentifier(entry.object)], let old = taken[oldIndex]
    else { return changes.insertions.append(index) }
    if entry.sortsEqually(to: old, by: terms) {
      changes.updates.append(oldIndex)
    } else {
      changes.moves.append(.init(from: oldIndex, to: index))
    }
  }
}

extension UnsafeMutableBufferPointer<ListEntry> {
  /// The first index below `end` whose entry comes after this one.
  fileprivate func index(
    for entry: ListEntry, before end: Int, by terms: [SortTerm]
  ) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if entry.precedes(self[middle], by: terms) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
