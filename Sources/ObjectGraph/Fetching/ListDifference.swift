// Computes how a list changes, in place. Entries that keep their key stay. Entries with a new key
// are removed and inserted again:
//
//   before   A b c D E        capitals: not in the event
//   taken    A · c' D E       c' has the key of c: an update
//   after    A c' D b' E      b' has another key than b: a move
//
// So replaying the changes on the old list gives the new one. k changes cost O(k log n).

struct ListDifference {
  struct Old {
    let index: Int
    let entry: ListEntry
  }

  struct Arrival {
    let entry: ListEntry
    let old: Old?
    fileprivate(set) var index = 0
  }

  private(set) var deletions: [Old] = []
  private(set) var updates: [Old] = []
  /// In order. Their indexes are known after `apply(to:)`.
  private(set) var arrivals: [Arrival] = []

  /// Replaces the entries that keep their sort key.
  ///
  /// - Parameter placed: new entries, and entries that stay with a new row.
  init(of entries: SortedEntries, removing leaving: [ManagedObject], placing placed: [ListEntry]) {
    for object in leaving {
      if let old = entries.old(leaving: object) { deletions.append(old) }
    }
    for entry in placed {
      let found = entries.old(entry.object)
      if let (old, position) = found, entries.keepsPlace(entry, of: old.entry) {
        entries.replace(at: position, by: entry)
        updates.append(old)
      } else {
        arrivals.append(Arrival(entry: entry, old: found?.old))
      }
    }
    deletions.sort { $0.index < $1.index }
    updates.sort { $0.index < $1.index }
    arrivals.sort { $0.entry.precedes($1.entry, by: entries.terms) }
  }

  mutating func apply(to entries: SortedEntries) {
    if entries.hasUnread { return applyWithGaps(to: entries) }
    for old in departures { entries.remove(old.entry.object) }
    for index in arrivals.indices { arrivals[index].index = entries.insert(arrivals[index].entry) }
  }

  /// Finds the indexes before it changes the list. A search in the changed list would compare with
  /// other entries, and so read other batches.
  private mutating func applyWithGaps(to entries: SortedEntries) {
    let gaps = arrivals.map { entries.gap(for: $0.entry) }
    let departures = departures.sorted { $0.index < $1.index }
    for old in departures { entries.remove(old.entry.object) }
    var passed = 0
    for (number, gap) in gaps.enumerated() {
      while passed < departures.count, departures[passed].index < gap { passed += 1 }
      arrivals[number].index = gap - passed + number
      entries.insert(arrivals[number].entry, at: arrivals[number].index)
    }
  }

  var departures: [Old] { deletions + arrivals.compactMap(\.old) }

  var changes: ListChanges {
    var changes = ListChanges()
    changes.deletions = deletions.map(\.index)
    changes.updates = updates.map(\.index)
    for arrival in arrivals {
      if let old = arrival.old {
        changes.moves.append(.init(from: old.index, to: arrival.index))
      } else {
        changes.insertions.append(arrival.index)
      }
    }
    return changes
  }
}

extension SortedEntries {
  fileprivate func old(
    _ object: ManagedObject
  ) -> (old: ListDifference.Old, position: Tree.Position)? {
    guard let position = position(of: object) else { return nil }
    return (ListDifference.Old(index: index(of: position), entry: read(position)), position)
  }

  /// An object that leaves needs no row.
  fileprivate func old(leaving object: ManagedObject) -> ListDifference.Old? {
    position(of: object).map { position in
      var entry = position.entry
      if entry.isUnread { entry = ListEntry(object: object, row: [], abbreviation: 0) }
      return ListDifference.Old(index: index(of: position), entry: entry)
    }
  }
}
