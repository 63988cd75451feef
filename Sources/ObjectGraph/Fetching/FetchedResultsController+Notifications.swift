import Queues

extension FetchedResultsController {
  func change(removing leaving: [ManagedObject], placing placed: [ListEntry]) {
    delegate?.listWillChange(self)
    let difference = ListDifference(
      of: &entries, removing: leaving, placing: placed, by: layout.terms)
    var changes = difference.changes
    let before = listSections
    if let section = layout.section, let before {
      let after = before.after(changes, from: difference.taken, to: entries, by: section)
      changes.sectionDeletions = before.indexes(missingIn: after)
      changes.sectionInsertions = after.indexes(missingIn: before)
      listSections = after
    }
    Activity.count(.listChanges, changes.count)
    if let delegate { notify(delegate, changes, before: difference.taken, before) }
    onChange?(changes)
  }

  private func notify(
    _ delegate: any FetchedResultsDelegate, _ changes: ListChanges, before: [Int: ListEntry],
    _ oldSections: ListSections?
  ) {
    for index in changes.sectionDeletions {
      delegate.list(self, section: section(index, of: oldSections), did: .delete(old: index))
    }
    for index in changes.sectionInsertions {
      delegate.list(self, section: section(index, of: listSections), did: .insert(new: index))
    }
    let old = { Self.path(at: $0, in: oldSections) }
    for index in changes.deletions {
      guard let object = before[index]?.object else { continue }
      delegate.list(self, object: object, did: .delete(old: old(index)))
    }
    for index in changes.insertions {
      delegate.list(self, object: self[index], did: .insert(new: path(at: index)))
    }
    for move in changes.moves {
      let change = ListObjectChange.move(old: old(move.from), new: path(at: move.to))
      delegate.list(self, object: self[move.to], did: change)
    }
    for index in changes.updates {
      guard let object = before[index]?.object else { continue }
      delegate.list(self, object: object, did: .update(old: old(index)))
    }
    delegate.listDidChange(self)
  }
}
