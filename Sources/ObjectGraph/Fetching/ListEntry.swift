/// One object of a list, with copies of the values that it was sorted by: its row, and the rank of
/// its ID for equal rows.
struct ListEntry {
  let object: ManagedObject
  let row: ContiguousArray<Value>
  var rank: UInt64
  /// The abbreviation of the first sort key; 0 if there is none.
  let abbreviation: UInt64

  init(object: ManagedObject, row: ContiguousArray<Value>, abbreviation: UInt64) {
    self.object = object
    self.row = row
    self.abbreviation = abbreviation
    rank = object.objectID.rank
  }

  @inline(__always)
  func precedes(_ other: borrowing ListEntry, by terms: [SortTerm]) -> Bool {
    if abbreviation != other.abbreviation { return abbreviation < other.abbreviation }
    return precedesInFull(copy other, by: terms)
  }

  private func precedesInFull(_ other: ListEntry, by terms: [SortTerm]) -> Bool {
    let order = terms.order(row, other.row)
    return order == 0 ? rank < other.rank : order < 0
  }

  func sortsEqually(to other: ListEntry, by terms: [SortTerm]) -> Bool {
    rank == other.rank && abbreviation == other.abbreviation
      && terms.order(row, other.row) == 0
  }

  var isSortedByTemporaryID: Bool { rank >= ManagedObjectID.firstTemporaryRank }
}

extension Collection<ListEntry> {
  func isSorted(by terms: [SortTerm]) -> Bool {
    zip(self, dropFirst()).allSatisfy { !$1.precedes($0, by: terms) }
  }
}

extension [ListEntry] {
  /// Whether the entries at these indexes are in order with their neighbours.
  func isSorted(by terms: [SortTerm], around indexes: [Int]) -> Bool {
    indexes.allSatisfy { index in
      self[Swift.max(0, index - 1)..<Swift.min(count, index + 2)].isSorted(by: terms)
    }
  }

  func excluding(_ objects: [ManagedObject]) -> [ListEntry] {
    guard !isEmpty else { return [] }
    for object in objects { object.state.insert(.marked) }
    defer { for object in objects { object.state.remove(.marked) } }
    return filter { !$0.object.state.contains(.marked) }
  }

  /// Gives entries sorted by temporary IDs the rank of their permanent IDs.
  ///
  /// - Returns: the entries to sort again, if the new ranks would change the order. The list is
  ///   then unchanged. Usually there are none: a save assigns keys in the order of creation.
  mutating func adoptPermanentIDs(by terms: [SortTerm]) -> [ListEntry] {
    let rekeyed = indices.filter {
      self[$0].isSortedByTemporaryID && !self[$0].object.objectID.isTemporary
    }
    let before = rekeyed.map { self[$0].rank }
    for index in rekeyed { self[index].rank = self[index].object.objectID.rank }
    guard !isSorted(by: terms, around: rekeyed) else { return [] }
    let entries = rekeyed.map { self[$0] }
    for (index, rank) in zip(rekeyed, before) { self[index].rank = rank }
    return entries
  }
}
