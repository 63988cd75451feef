/// One object of a list, and what it was sorted by when it was placed: its row, and among equals the
/// rank of its ID. Both may have changed since; the list is in the order of what it knows.
struct ListEntry {
  let object: ManagedObject
  let row: ContiguousArray<Value>
  var rank: UInt64
  /// Of the first sort key; 0 if the list has none to go by.
  let abbreviation: UInt64

  init(object: ManagedObject, row: ContiguousArray<Value>, abbreviation: UInt64) {
    self.object = object
    self.row = row
    self.abbreviation = abbreviation
    rank = object.objectID.rank
  }

  @inline(__always)
  func precedes(_ other: borrowing ListEntry, by descriptors: [SortTerm]) -> Bool {
    if abbreviation != other.abbreviation { return abbreviation < other.abbreviation }
    return precedesInFull(copy other, by: descriptors)
  }

  private func precedesInFull(_ other: ListEntry, by descriptors: [SortTerm]) -> Bool {
    let order = descriptors.order(row, other.row)
    return order == 0 ? rank < other.rank : order < 0
  }

  func hasPlace(of other: ListEntry, by descriptors: [SortTerm]) -> Bool {
    rank == other.rank && abbreviation == other.abbreviation
      && descriptors.order(row, other.row) == 0
  }

  var isPlacedByTemporaryID: Bool { rank >= ManagedObjectID.firstTemporaryRank }
}

extension Collection<ListEntry> {
  func isOrdered(by descriptors: [SortTerm]) -> Bool {
    zip(self, dropFirst()).allSatisfy { !$1.precedes($0, by: descriptors) }
  }
}

extension [ListEntry] {
  /// Whether the entries at these places are in order with those beside them.
  func isOrdered(by descriptors: [SortTerm], around places: [Int]) -> Bool {
    places.allSatisfy { place in
      self[Swift.max(0, place - 1)..<Swift.min(count, place + 2)].isOrdered(by: descriptors)
    }
  }

  /// Without the entries of these objects.
  func excluding(_ objects: [ManagedObject]) -> [ListEntry] {
    guard !isEmpty else { return [] }
    for object in objects { object.state.insert(.marked) }
    defer { for object in objects { object.state.remove(.marked) } }
    return filter { !$0.object.state.contains(.marked) }
  }

  /// Ranks entries that were placed by a temporary ID by the permanent ones that their objects got
  /// since.
  ///
  /// - Returns: those entries, if that would put the list out of order; it is as it was then, and they
  ///   are to be placed anew. Usually none: a save numbers new rows in the order of their making.
  mutating func takeInPermanentIDs(by descriptors: [SortTerm]) -> [ListEntry] {
    let rekeyed = indices.filter {
      self[$0].isPlacedByTemporaryID && !self[$0].object.objectID.isTemporary
    }
    let before = rekeyed.map { self[$0].rank }
    for index in rekeyed { self[index].rank = self[index].object.objectID.rank }
    guard !isOrdered(by: descriptors, around: rekeyed) else { return [] }
    let entries = rekeyed.map { self[$0] }
    for (index, rank) in zip(rekeyed, before) { self[index].rank = rank }
    return entries
  }
}
