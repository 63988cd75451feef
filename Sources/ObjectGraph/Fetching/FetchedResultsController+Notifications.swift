import Queues

extension FetchedResultsController {
  func change(removing leaving: [ManagedObject], placing placed: [ListEntry]) {
    delegate?.listWillChange(self)
    var difference = ListDifference(of: entries, removing: leaving, placing: placed)
    let before = ListBefore(difference, of: self)
    difference.apply(to: entries)
    var changes = difference.changes
    if let listSections {
      (changes.sectionDeletions, changes.sectionInsertions) = listSections.change(
        difference, leaving: before.touchedSections)
    }
    Activity.count(.listChanges, changes.count)
    // The delegate may cause another event, to be reported after this one.
    untold.append((changes, onIDChange == nil ? nil : changesByID(changes)))
    if let delegate { notify(delegate, changes, difference, before) }
    while !untold.isEmpty {
      let next = untold.removeFirst()
      onChange?(next.changes)
      if let byID = next.byID { onIDChange?(byID) }
    }
  }

  private func notify(
    _ delegate: any FetchedResultsDelegate, _ changes: ListChanges,
    _ difference: ListDifference, _ before: ListBefore
  ) {
    for index in changes.sectionDeletions {
      guard let section = before.sections[index] else { continue }
      delegate.list(self, section: section, did: .delete(old: index))
    }
    for index in changes.sectionInsertions {
      delegate.list(self, section: section(index), did: .insert(new: index))
    }
    for old in difference.deletions {
      delegate.list(self, object: old.entry.object, did: .delete(old: before.path(of: old)))
    }
    for arrival in difference.arrivals where arrival.old == nil {
      let change = ListObjectChange.insert(new: path(at: arrival.index))
      delegate.list(self, object: arrival.entry.object, did: change)
    }
    for arrival in difference.arrivals {
      guard let old = arrival.old else { continue }
      let change = ListObjectChange.move(old: before.path(of: old), new: path(at: arrival.index))
      delegate.list(self, object: arrival.entry.object, did: change)
    }
    for old in difference.updates {
      delegate.list(self, object: old.entry.object, did: .update(old: before.path(of: old)))
    }
    delegate.listDidChange(self)
  }
}

private struct ListBefore {
  private(set) var touchedSections: [Int] = []
  private(set) var sections: [Int: ListSection] = [:]
  private var paths: [Int: ListPath] = [:]

  init(_ difference: ListDifference, of list: FetchedResultsController) {
    guard let listSections = list.listSections else { return }
    touchedSections = listSections.indexes(of: difference.departures)
    guard list.delegate != nil else { return }
    for index in touchedSections { sections[index] = list.section(index) }
    for old in difference.departures + difference.updates {
      paths[old.index] = list.path(at: old.index)
    }
  }

  func path(of old: ListDifference.Old) -> ListPath {
    paths[old.index] ?? ListPath(section: 0, item: old.index)
  }
}
