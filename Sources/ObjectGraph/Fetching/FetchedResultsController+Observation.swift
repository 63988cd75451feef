import Queues

extension FetchedResultsController {
  func contextDidChange(_ change: ObjectsDidChange) {
    if change.invalidatedAll { isObserving = false }
    guard isObserving else { return }
    Activity.slice(.list) {
      let effect = effect(of: change)
      let rekeyed = adoptPermanentIDs()
      guard !effect.isEmpty || !rekeyed.isEmpty else { return }
      take(effect, rekeyed.excluding(effect.objects))
    }
  }

  func contextDidSave() {
    guard isObserving, !newObjects.isEmpty else { return }
    Activity.slice(.list) {
      let rekeyed = adoptPermanentIDs()
      if !rekeyed.isEmpty { take(ListEffect(), rekeyed) }
    }
  }

  private func take(_ effect: ListEffect, _ rekeyed: [ListEntry]) {
    if !newObjects.isEmpty { newObjects.subtract(effect.leaving) }
    for entry in effect.entering where entry.isSortedByTemporaryID {
      newObjects.insert(entry.object)
    }
    change(removing: effect.leaving, placing: effect.staying + effect.entering + rekeyed)
  }

  private func adoptPermanentIDs() -> [ListEntry] {
    guard !newObjects.isEmpty, idsAdopted != context.permanentIDs.end else { return [] }
    idsAdopted = context.permanentIDs.end
    let named = newObjects.filter { !$0.objectID.isTemporary }
    newObjects.subtract(named)
    return entries.adoptPermanentIDs(of: named)
  }

  private func effect(of change: ObjectsDidChange) -> ListEffect {
    var effect = ListEffect()
    for object in change.deleted where isMember(object) { effect.leaving.append(object) }
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
    guard request.covers(object.entity) else { return }
    if object.isFault { object.realise() }
    let matches = !object.isDeleted && request.predicate?.matches(object) != false
    switch (isMember(object), matches) {
    case (true, true): effect.staying.append(layout.entry(object, object.values))
    case (false, true): effect.entering.append(layout.entry(object, object.values))
    case (true, false): effect.leaving.append(object)
    case (false, false): break
    }
  }

  private func isMember(_ object: ManagedObject) -> Bool { entries.contains(object) }
}

/// The objects of an event that leave a list, stay with changes, or enter it.
private struct ListEffect {
  var leaving: [ManagedObject] = []
  var staying: [ListEntry] = []
  var entering: [ListEntry] = []

  var isEmpty: Bool { leaving.isEmpty && staying.isEmpty && entering.isEmpty }
  var objects: [ManagedObject] { leaving + staying.map(\.object) + entering.map(\.object) }
}
