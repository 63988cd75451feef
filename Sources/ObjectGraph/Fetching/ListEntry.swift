/// An object of a list, with the row and the rank of the ID that it was sorted by.
struct ListEntry {
  let object: ManagedObject
  let row: ContiguousArray<Value>
  var rank: UInt64
  /// Abbreviates the first sort key; 0 if there is none.
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

  /// The row's buffer: 32 bytes of header, then the values.
  var rowAddress: UnsafeRawPointer { unsafeBitCast(row, to: UnsafeRawPointer.self) }

  var isSortedByTemporaryID: Bool { rank >= ManagedObjectID.firstTemporaryRank }
}

extension Collection<ListEntry> {
  func isSorted(by terms: [SortTerm]) -> Bool {
    zip(self, dropFirst()).allSatisfy { !$1.precedes($0, by: terms) }
  }
}

extension [ListEntry] {
  func excluding(_ objects: [ManagedObject]) -> [ListEntry] {
    guard !isEmpty else { return [] }
    for object in objects { object.state.insert(.marked) }
    defer { for object in objects { object.state.remove(.marked) } }
    return filter { !$0.object.state.contains(.marked) }
  }
}
