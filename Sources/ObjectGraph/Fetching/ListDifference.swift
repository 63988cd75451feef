// How a list changes, in place. Entries that nothing happened to are *kept*, in their order; entries
// that changed but stay are taken out and put in again, beside those that enter; the others leave:
//
//   before   A  b  C  d  E        (capitals: kept)
//   kept     A  C  E  ·  ·        moved to the front; what is taken out comes to lie behind
//   after    A  C  d' b' E        b has another key: a move; d has the same: an update
//
// An entry of the same key and rank has its old place among the kept and among its like, so replaying
// the changes on the old array gives the new one. Entries are swapped and never copied: a list is
// long, what changes in it is short, and a copy would count the references of all.

/// What an event does to the entries of a list.
struct ListDifference {
  private(set) var changes = ListChanges()
  /// The entries that were taken out, by their old indexes.
  private(set) var taken: [Int: ListEntry] = [:]
  private let descriptors: [SortTerm]
  private var oldIndexes: [ObjectIdentifier: Int] = [:]

  /// Changes the entries, which are in the order of the descriptors.
  ///
  /// - Parameter placed: entries that stay with a new row, or enter.
  init(
    of entries: inout [ListEntry], removing leaving: [ManagedObject], placing placed: [ListEntry],
    by descriptors: [SortTerm]
  ) {
    self.descriptors = descriptors
    takeOut(leaving + placed.map(\.object), from: &entries)
    changes.deletions = leaving.compactMap { oldIndexes[ObjectIdentifier($0)] }.sorted()
    put(placed.sorted { $0.precedes($1, by: descriptors) }, into: &entries)
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

  /// From the back, so that every kept entry moves once, over the places that are still free.
  private mutating func put(_ placed: [ListEntry], into entries: inout [ListEntry]) {
    var end = entries.count
    entries += placed
    var places = [Int](repeating: 0, count: placed.count)
    entries.withUnsafeMutableBufferPointer { entries in
      for (free, entry) in placed.enumerated().reversed() {
        let place = entries.place(of: entry, before: end, by: descriptors)
        for index in (place..<end).reversed() { entries.swapAt(index, index + free + 1) }
        entries[place + free] = entry
        places[free] = place + free
        end = place
      }
    }
    for (entry, place) in zip(placed, places) { describe(entry, at: place) }
  }

  private mutating func describe(_ entry: ListEntry, at index: Int) {
    guard let oldIndex = oldIndexes[ObjectIdentifier(entry.object)], let old = taken[oldIndex]
    else { return changes.insertions.append(index) }
    if entry.hasPlace(of: old, by: descriptors) {
      changes.updates.append(oldIndex)
    } else {
      changes.moves.append(.init(from: oldIndex, to: index))
    }
  }
}

extension UnsafeMutableBufferPointer<ListEntry> {
  /// The first index below `end` whose entry comes after this one.
  fileprivate func place(
    of entry: ListEntry, before end: Int, by descriptors: [SortTerm]
  ) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if entry.precedes(self[middle], by: descriptors) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
