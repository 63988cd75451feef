// Computes how a list changes, in place. Entries that keep their key stay where they are. Entries
// with a new key are taken out and inserted again, together with new ones; others are removed:
//
//   before   A b c D E        capitals: not in the event
//   taken    A · c' D E       c' has the key of c: an update
//   after    A c' D b' E      b' has another key than b: a move
//
// Replaying the changes on the old list therefore gives the new one. Each step costs O(log n), so k
// changes cost O(k log n).

struct ListDifference {
  /// An entry before the event, with its index then.
  struct Old {
    let index: Int
    let entry: ListEntry
  }

  /// An entry to insert. An object that moves has an old entry.
  struct Arrival {
    let entry: ListEntry
    let old: Old?
    fileprivate(set) var index = 0
  }

  private(set) var deletions: [Old] = []
  private(set) var updates: [Old] = []
  /// In order. Their indexes are known after `apply(to:)`.
  private(set) var arrivals: [Arrival] = []

  /// Finds the changes, and changes entries that keep their key.
  ///
  /// - Parameter placed: new entries, and entries that stay with a new row.
  init(of entries: SortedEntries, removing leaving: [ManagedObject], placing placed: [ListEntry]) {
    for object in leaving {
      if let old = entries.old(object)?.old { deletions.append(old) }
    }
    for entry in placed {
      let found = entries.old(entry.object)
      if let (old, position) = found, entry.sortsEqually(to: old.entry, by: entries.terms) {
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

  /// Removes and inserts entries.
  mutating func apply(to entries: SortedEntries) {
    for old in departures { entries.remove(old.entry.object) }
    // Later arrivals come behind earlier ones and so do not change their indexes.
    for index in arrivals.indices { arrivals[index].index = entries.insert(arrivals[index].entry) }
  }

  /// The entries that leave their positions.
  var departures: [Old] { deletions + arrivals.compactMap(\.old) }

  /// The changes of objects, once applied.
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
    return (ListDifference.Old(index: index(of: position), entry: position.entry), position)
  }
}
