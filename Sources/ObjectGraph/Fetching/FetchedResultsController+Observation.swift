import Queues

extension FetchedResultsController {
  func contextDidChange(_ change: ObjectsDidChange) {
    if change.invalidatedAll { isObserving = false }
    guard isObserving else { return }
    Activity.slice(.list) {
      if entries.hasUnread {
        // A merge may have brought a new row of a deleted object too.
        entries.unread?.outdated = Set(change.refreshed).union(change.refreshedInsertions)
          .union(change.deleted)
      }
      defer { entries.unread?.outdated = [] }
      nameAdoptedIDs()
      let effect = effect(of: change)
      nameAdoptedIDs()
      let rekeyed = rekeyedEntries()
      let isSorted = entries.unread?.displaced.isEmpty ?? true
      guard !effect.isEmpty || !rekeyed.isEmpty || !isSorted else { return tellNewIDs() }
      take(effect, rekeyed.excluding(effect.objects))
    }
  }

  func contextDidSave() {
    guard isObserving else { return }
    nameAdoptedIDs()
    guard hasNewIDs, !temporarilyPlaced.isEmpty || onIDChange != nil else { return }
    Activity.slice(.list) {
      let rekeyed = rekeyedEntries()
      if !rekeyed.isEmpty { take(ListEffect(), rekeyed) }
      tellNewIDs()
    }
  }

  private func take(_ effect: ListEffect, _ rekeyed: [ListEntry]) {
    if !temporarilyPlaced.isEmpty { temporarilyPlaced.subtract(effect.leaving) }
    var leaving = effect.leaving
    var placed = effect.staying + effect.entering + rekeyed
    for index in placed.indices where layout.sortsByTemporaryID(placed[index]) {
      // The ID may have become permanent since.
      placed[index].rank = placed[index].object.objectID.rank
      if layout.sortsByTemporaryID(placed[index]) {
        temporarilyPlaced.insert(placed[index].object)
      }
    }
    if let unread = entries.unread { settle(&leaving, &placed, unread) }
    guard !leaving.isEmpty || !placed.isEmpty else { return }
    change(removing: leaving, placing: placed)
  }

  /// Reads the batches that decide where objects belong, and adds objects whose rows sort elsewhere
  /// than their IDs did.
  private func settle(
    _ leaving: inout [ManagedObject], _ placed: inout [ListEntry], _ unread: UnreadRows
  ) {
    var known = Set(leaving + placed.map(\.object))
    var displaced: [ManagedObject]
    entries.placeRefreshed(placed)
    repeat {
      for entry in placed { entries.readPlace(of: entry) }
      displaced = unread.displaced.filter { known.insert($0).inserted }
      var effect = ListEffect()
      for object in displaced { consider(object, in: &effect) }
      leaving += effect.leaving
      placed += effect.staying
    } while !displaced.isEmpty
  }

  /// A merge passes over unregistered objects. Unread ones must leave the list all the same.
  func contextWillMerge(deletions ids: [ManagedObjectID]) {
    guard isObserving, let unread = entries.unread else { return }
    heldForMerge = ids.filter(unread.contains).map(context.object(with:))
  }

  func contextDidMerge() {
    if !heldForMerge.isEmpty { heldForMerge = [] }
  }

  /// - Returns: the entries whose places change because IDs became permanent.
  private func rekeyedEntries() -> [ListEntry] {
    guard hasNewIDs else { return [] }
    hasNewIDs = false
    guard !temporarilyPlaced.isEmpty else { return [] }
    if layout.sortsByRelatedObjects {
      let rekeyed = temporarilyPlaced.filter { !$0.isFault }.map { layout.entry($0, $0.values) }
        .filter { !entries.hasEqualEntry($0) }
      temporarilyPlaced.subtract(rekeyed.map(\.object))
      return rekeyed
    }
    let named = temporarilyPlaced.filter { !$0.objectID.isTemporary }
    temporarilyPlaced.subtract(named)
    return entries.adoptPermanentIDs(of: named)
  }

  private func effect(of change: ObjectsDidChange) -> ListEffect {
    var effect = ListEffect()
    for objects in [change.deleted, change.updated, change.refreshed] { entries.prefetch(objects) }
    // An earlier observer may have revived a deleted object.
    for object in change.deleted { consider(object, in: &effect) }
    for object in change.vanished { consider(object, in: &effect) }
    for object in change.inserted { consider(object, in: &effect) }
    for object in change.updated { consider(object, in: &effect) }
    // An edited and refreshed object is in both lists.
    for object in change.updated { object.state.insert(.marked) }
    for object in change.refreshed where !object.state.contains(.marked) {
      consider(object, in: &effect)
    }
    for object in change.updated { object.state.remove(.marked) }
    return effect
  }

  private func consider(_ object: ManagedObject, in effect: inout ListEffect) {
    guard listed.covers(object.entity) else { return }
    let isGone = !object.state.isDisjoint(with: [.deleted, .vanishing, .removed])
    // After an automatic merge that could not read the row, the list stays unchanged.
    if !isGone, object.isFault {
      guard (try? context.readFault(object)) != nil else { return }
      // The visit to the parent may have brought permanent IDs.
      nameAdoptedIDs()
    }
    let matches =
      !isGone && !object.isDeleted && listed.predicate?.holds(for: object, in: []) != false
    switch (entries.contains(object), matches) {
    case (true, true): effect.staying.append(layout.entry(object, object.values))
    case (false, true): effect.entering.append(layout.entry(object, object.values))
    case (true, false): effect.leaving.append(object)
    case (false, false): break
    }
  }
}

private struct ListEffect {
  var leaving: [ManagedObject] = []
  var staying: [ListEntry] = []
  var entering: [ListEntry] = []

  var isEmpty: Bool { leaving.isEmpty && staying.isEmpty && entering.isEmpty }
  var objects: [ManagedObject] { leaving + staying.map(\.object) + entering.map(\.object) }
}
