// A list with a batch size knows all IDs and reads rows when it needs them:
//
//   positions   0 1 2 3 │ 4 5 6 7 │ 8 9       of the fetched IDs, in batches of 4
//   entries     a b c d │ · · · · │ n · ·     · is unread; n was inserted later
//
// A batch is read at once: if one of its objects is accessed, if one of them changes, or if a
// search compares with it. Its objects have the rows of that moment, which may sort elsewhere than
// the ID did. Such an object is *displaced*: no search compares with it, and the next event moves
// it.

/// The unread entries of a list.
final class UnreadRows {
  private let batches: FetchedBatches
  private let layout: ListLayout
  /// By position; nil for entries that were read or removed.
  var places: ContiguousArray<SortedEntries.Place?>
  private(set) var count: Int
  /// Listed objects whose rows sort elsewhere than they are listed.
  var displaced: Set<ManagedObject> = []
  /// The objects that the current event refreshed or deleted. Their rows may not be those that they
  /// were sorted by.
  var outdated: Set<ManagedObject> = []
  /// The sections, whose keys are known without rows.
  weak var sections: ListSections?
  private lazy var positions = Dictionary(
    uniqueKeysWithValues: zip(batches.objectIDs, batches.objectIDs.indices))

  init(_ batches: FetchedBatches, _ layout: ListLayout) {
    self.batches = batches
    self.layout = layout
    count = batches.count
    places = ContiguousArray(repeating: nil, count: count)
  }

  func contains(_ id: ManagedObjectID) -> Bool {
    count > 0 && positions[id].map { places[$0] != nil } == true
  }

  func position(of id: ManagedObjectID) -> SortedEntries.Tree.Position? {
    guard count > 0, let position = positions[id], let place = places[position] else { return nil }
    return place.position { $0.isUnread(at: position) }
  }

  /// Nil for an entry that was read.
  func unreadID(of entry: ListEntry) -> ManagedObjectID? {
    entry.isUnread ? batches.objectIDs[Int(entry.rank)] : nil
  }

  func remove(_ entry: ListEntry) {
    places[Int(entry.rank)] = nil
    count -= 1
  }

  func isOutdated(_ object: ManagedObject) -> Bool {
    outdated.contains(object) || object.state.contains(.newlyRefreshed)
  }

  /// Whether searches compare with the entry.
  func isPlaced(_ entry: borrowing ListEntry) -> Bool {
    if entry.isUnread { return false }
    return displaced.isEmpty ? true : !displaced.contains(entry.object)
  }

  // MARK: Reading

  /// An entry that was read: its place, and its object. The row is nil if it is gone or cannot be
  /// read.
  struct Read {
    let position: SortedEntries.Tree.Position
    let object: ManagedObject
    let entry: ListEntry?
  }

  /// Reads what is unread of an entry's batch, in order. The entries stay as they are.
  func readBatch(of entry: ListEntry) -> [Read] {
    let start = Int(entry.rank) / batches.batchSize * batches.batchSize
    let ids = batches.objectIDs[start...].prefix(batches.batchSize)
    let unread = ids.indices.filter { places[$0] != nil }
    let objects = batches.read(unread.map { ids[$0] })
    let rows = (try? batches.context.rows(of: objects)) ?? objects.map { _ in nil }
    return objects.indices.compactMap { index in
      let object = objects[index]
      // An edit of this event moves the object from the place of its committed row.
      let row = object.hasChanges ? object.committed?.values ?? rows[index] : rows[index]
      return position(of: ids[unread[index]]).map {
        Read(position: $0, object: object, entry: row.map { layout.entry(object, $0) })
      }
    }
  }

  /// The entry for an object whose row does not sort between its neighbours.
  func entry(
    _ object: ManagedObject, inSectionOf key: Value?, besides neighbours: [ListEntry?]
  ) -> ListEntry {
    let neighbour = neighbours.lazy.compactMap(\.self).first { self.isOf(key, $0) }
    if let neighbour { return ListEntry(object, sortedLike: neighbour) }
    var row = ContiguousArray(repeating: Value.null, count: object.entity.columns.count)
    if let key, let section = layout.section { row[section.attribute] = key }
    return layout.entry(object, row)
  }

  /// Whether the entry belongs into the section with this key. Nil is any section.
  func isOf(_ key: Value?, _ entry: ListEntry) -> Bool {
    guard let key, let section = layout.section else { return true }
    return section.order(key, entry.row[section.attribute]) == 0
  }
}

extension SortedEntries {
  var hasUnread: Bool { unread.map { $0.count > 0 } ?? false }

  func readAll() {
    if hasUnread { for index in 0..<count { _ = self[index] } }
  }

  /// Reads the entry's batch if it is unread.
  func read(_ position: Tree.Position) -> ListEntry {
    if let unread, position.entry.isUnread {
      place(unread.readBatch(of: position.entry), of: unread)
    }
    return position.entry
  }

  /// Reads the O(log n) batches that decide where an entry belongs, and its old batch.
  func readPlace(of entry: ListEntry) {
    guard hasUnread else { return }
    if let old = position(of: entry.object), keepsPlace(entry, of: read(old)) { return }
    _ = gap(for: entry)
  }

  /// The index at which a new entry belongs.
  func gap(for entry: ListEntry) -> Int { firstIndex { entry.precedes($0, by: terms) } }

  func firstIndexReading(where condition: (ListEntry) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      guard let index = placed(in: middle..<high) ?? placed(in: (low..<middle).reversed()) else {
        return low
      }
      if condition(self[index]) { high = index } else { low = index + 1 }
    }
    return low
  }

  /// The first index whose entry is not displaced. Reads batches.
  private func placed(in indexes: some Sequence<Int>) -> Int? {
    indexes.first { unread?.isPlaced(self[$0]) ?? true }
  }

  /// Replaces the unread entries of a batch.
  private func place(_ batch: [UnreadRows.Read], of unread: UnreadRows) {
    guard !batch.isEmpty else { return }
    let indexes = batch.map { tree.index(of: $0.position) }
    let behind = entriesBehind(indexes, unread)
    var before = tree.last(before: indexes[0], where: unread.isPlaced)
    for (number, read) in batch.enumerated() {
      let index = indexes[number]
      if number > 0, indexes[number - 1] < index - 1 {
        before = tree.last(before: index, where: unread.isPlaced)
      }
      let following = batch.indices.dropFirst(number + 1).first {
        !unread.isOutdated(batch[$0].object)
      }
      let next = following.flatMap {
        indexes[$0] - index == $0 - number ? batch[$0].entry : nil
      }
      let key = unread.sections?.key(at: index)
      let isOutdated = unread.isOutdated(read.object)
      let entry = read.entry.flatMap {
        !isOutdated && unread.isOf(key, $0) && fits($0, before, behind[number], next) ? $0 : nil
      }
      let listed =
        entry ?? unread.entry(read.object, inSectionOf: key, besides: [before, behind[number]])
      unread.remove(read.position.entry)
      tree.replace(at: read.position, by: listed)
      places[read.object] = Place(read.position)
      if entry == nil { unread.displaced.insert(read.object) } else { before = listed }
    }
  }

  /// Displaces the objects that the event refreshed and that do not sort between their neighbours,
  /// which it reads. The list may have read a new row before the event, among unread neighbours.
  func placeRefreshed(_ entries: [ListEntry]) {
    guard let unread else { return }
    let refreshed = entries.compactMap { entry -> (entry: ListEntry, mayStay: Bool)? in
      let object = entry.object
      let mayHaveMoved = unread.outdated.contains(object) || unread.displaced.contains(object)
      guard mayHaveMoved, let old = position(of: object) else { return nil }
      let isPlaced = unread.isPlaced(old.entry)
      let isEqual = isPlaced && entry.sortsEqually(to: old.entry, by: terms)
      return isEqual && isBetweenPlaced(old, unread) ? nil : (entry, !isPlaced || isEqual)
    }
    unread.displaced.formUnion(refreshed.lazy.map(\.entry.object))
    for (entry, mayStay) in refreshed { settle(entry, unread, mayStay: mayStay) }
  }

  /// Whether the event leaves both neighbours where they are. Placed entries are in order.
  private func isBetweenPlaced(_ position: Tree.Position, _ unread: UnreadRows) -> Bool {
    let elements = position.leaf.elements
    func isPlaced(_ offset: Int) -> Bool {
      elements.indices.contains(offset) && unread.isPlaced(elements[offset])
        && !unread.outdated.contains(elements[offset].object)
    }
    return isPlaced(position.offset - 1) && isPlaced(position.offset + 1)
  }

  private func settle(_ entry: ListEntry, _ unread: UnreadRows, mayStay: Bool) {
    guard let position = position(of: entry.object) else { return }
    _ = read(position)
    let index = tree.index(of: position)
    let before = placed(in: (0..<index).reversed()).map { self[$0] }
    let behind = placed(in: index + 1..<count).map { self[$0] }
    if mayStay, unread.isOf(unread.sections?.key(at: index), entry),
      fits(entry, before, behind, nil)
    {
      replace(at: position, by: entry)
    }
  }

  /// For each index, the nearest entry behind it that was read before.
  private func entriesBehind(_ indexes: [Int], _ unread: UnreadRows) -> [ListEntry?] {
    var behind: ListEntry?
    return indexes.indices.reversed().map { number -> ListEntry? in
      let index = indexes[number]
      if number + 1 == indexes.count || indexes[number + 1] > index + 1 {
        behind = tree.first(from: index + 1, where: unread.isPlaced)
      }
      return behind
    }.reversed()
  }

  /// Whether an entry sorts between its neighbours. If it sorts behind the next one of its batch,
  /// which fits, it does not: one row that changed should not displace all behind it.
  private func fits(
    _ entry: ListEntry, _ before: ListEntry?, _ behind: ListEntry?, _ next: ListEntry?
  ) -> Bool {
    func precedes(_ a: ListEntry, _ b: ListEntry) -> Bool { a.precedes(b, by: terms) }
    if let before, precedes(entry, before) { return false }
    if let behind, precedes(behind, entry) { return false }
    guard let next, precedes(next, entry) else { return true }
    return before.map { precedes(next, $0) } ?? false
  }
}
