/// An object of a list, with the row and the rank of the ID that it was sorted by. An *unread*
/// entry has none of them yet.
struct ListEntry {
  private let listed: ManagedObject?
  let row: ContiguousArray<Value>
  /// Of an unread entry, its position among the fetched IDs.
  var rank: UInt64
  /// Abbreviates the first sort key; 0 if there is none.
  let abbreviation: UInt64

  init(object: ManagedObject, row: ContiguousArray<Value>, abbreviation: UInt64) {
    listed = object
    self.row = row
    self.abbreviation = abbreviation
    rank = object.objectID.rank
  }

  init(unreadAt position: Int) {
    (listed, row, rank, abbreviation) = (nil, [], UInt64(position), 0)
  }

  /// Sorts an object like another one.
  init(_ object: ManagedObject, sortedLike other: ListEntry) {
    (listed, row) = (object, other.row)
    (rank, abbreviation) = (other.rank, other.abbreviation)
  }

  var isUnread: Bool { listed == nil }

  func isUnread(at position: Int) -> Bool { listed == nil && rank == UInt64(position) }

  @inline(__always) func isOf(_ object: ManagedObject) -> Bool { listed === object }

  /// - Precondition: the entry was read.
  var object: ManagedObject { listed! }

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
