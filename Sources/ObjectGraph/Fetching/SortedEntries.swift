import CLinux

/// Finds an object's entry, and the entry at an index, in O(log n).
final class SortedEntries {
  typealias Tree = CountedTree<ListEntry>

  let terms: [SortTerm]
  let tree: Tree
  let places: Places
  /// Nil for a list that was fetched with all rows.
  let unread: UnreadRows?

  /// Where objects were placed, by their slot in their context's registry. Listed objects are
  /// retained and keep their slots.
  final class Places {
    @exclusivity(unchecked) private var bySlot: ContiguousArray<Place?> = []

    subscript(object: ManagedObject) -> Place? {
      get {
        let slot = Int(object.slot)
        return bySlot.indices.contains(slot) ? bySlot[slot] : nil
      }
      set {
        let slot = Int(object.slot)
        if slot >= bySlot.count {
          bySlot.append(contentsOf: repeatElement(nil, count: slot + 1 - bySlot.count))
        }
        bySlot[slot] = newValue
      }
    }
  }

  struct Place {
    let leaf: Unmanaged<Tree.Node>
    /// The offset at which the object was placed. Later insertions and removals move it.
    let offset: Int32

    init(_ position: Tree.Position) {
      (leaf, offset) = (.passUnretained(position.leaf), Int32(position.offset))
    }

    func position(where isFound: (borrowing ListEntry) -> Bool) -> Tree.Position? {
      let leaf = leaf.takeUnretainedValue()
      let offset = leaf.elements.index(near: Int(offset), where: isFound)
      return offset.map { Tree.Position(leaf: leaf, offset: $0) }
    }

    func prefetchLeaf() { clinux_prefetch(leaf.toOpaque()) }

    func prefetchEntry() {
      withElements { clinux_prefetch($0.baseAddress.map { $0 + Int(offset) }) }
    }

    /// Requests 256 bytes: the header and nine values. If the entry has moved within its leaf, as
    /// few do, another row is requested.
    func prefetchRow() {
      withElements { elements in
        let row = elements[min(Int(offset), elements.count - 1)].rowAddress
        for line in 0..<4 { clinux_prefetch(row + line * 64) }
      }
    }

    private func withElements(_ body: (UnsafeBufferPointer<ListEntry>) -> Void) {
      leaf._withUnsafeGuaranteedRef { $0.elements.withUnsafeBufferPointer(body) }
    }
  }

  /// - Precondition: the entries are sorted, and their objects are of one context.
  init(_ entries: [ListEntry], by terms: [SortTerm]) {
    self.terms = terms
    let places = Places()
    self.places = places
    unread = nil
    tree = Tree(entries) { places[$0.object] = Place($1) }
  }

  /// A list of IDs. Each row is read when it is needed.
  init(_ unread: UnreadRows, by terms: [SortTerm]) {
    self.terms = terms
    let places = Places()
    self.places = places
    self.unread = unread
    tree = Tree((0..<unread.count).map(ListEntry.init(unreadAt:))) { entry, position in
      if entry.isUnread {
        unread.places[Int(entry.rank)] = Place(position)
      } else {
        places[entry.object] = Place(position)
      }
    }
  }

  var count: Int { tree.count }

  /// Reads the entry's batch if needed.
  subscript(index: Int) -> ListEntry {
    let entry = tree[index]
    return entry.isUnread ? read(tree.position(at: index)) : entry
  }

  func forEach(_ body: (ListEntry) throws -> Void) rethrows { try tree.forEach(body) }

  func contains(_ object: ManagedObject) -> Bool {
    places[object] != nil || unread?.contains(object.objectID) == true
  }

  /// Reads no row: the entry may be unread.
  func position(of object: ManagedObject) -> Tree.Position? {
    guard let place = places[object] else { return unread?.position(of: object.objectID) }
    return place.position { $0.isOf(object) }
  }

  /// Requests the memory that a change of these objects will read: their leaves, entries and rows.
  /// In a long list this memory is rarely cached. Without the requests, the change would wait for
  /// each line of memory in turn.
  func prefetch(_ objects: [ManagedObject]) {
    let found = objects.prefetchable.compactMap { places[$0] }
    for place in found { place.prefetchLeaf() }
    for place in found { place.prefetchEntry() }
    for place in found { place.prefetchRow() }
  }

  func index(of position: Tree.Position) -> Int { tree.index(of: position) }

  /// The index of the first match of a condition, which all entries behind it must satisfy too.
  func firstIndex(where condition: (ListEntry) -> Bool) -> Int {
    hasUnread ? firstIndexReading(where: condition) : tree.firstPosition(where: condition).index
  }

  // MARK: Changing

  /// Inserts behind entries that sort equally.
  func insert(_ entry: ListEntry) -> Int {
    let (position, index) = tree.firstPosition { entry.precedes($0, by: terms) }
    tree.insert(entry, at: position)
    return index
  }

  /// - Precondition: the entry sorts between its new neighbours.
  func insert(_ entry: ListEntry, at index: Int) {
    let end = index == count
    tree.insert(
      entry, at: end ? tree.firstPosition { _ in false }.position : tree.position(at: index))
  }

  /// - Precondition: the object is listed.
  func remove(_ object: ManagedObject) {
    guard let position = position(of: object) else {
      fatalError("an object that left the list was not in it")
    }
    if position.entry.isUnread { unread?.remove(position.entry) } else { places[object] = nil }
    unread?.displaced.remove(object)
    tree.remove(at: position)
  }

  /// Whether the entry's object is listed by an entry that sorts equally.
  func hasEqualEntry(_ entry: ListEntry) -> Bool {
    position(of: entry.object).map { keepsPlace(entry, of: $0.entry) } ?? false
  }

  /// Whether a new entry belongs where its object's old one is. A displaced object's entry sorts
  /// like its neighbours and not like its row.
  func keepsPlace(_ entry: ListEntry, of old: ListEntry) -> Bool {
    !(unread?.displaced.contains(entry.object) ?? false) && entry.sortsEqually(to: old, by: terms)
  }

  /// - Precondition: the new entry sorts like the old one.
  func replace(at position: Tree.Position, by entry: ListEntry) {
    unread?.displaced.remove(entry.object)
    tree.replace(at: position, by: entry)
  }

  /// Ranks entries by permanent IDs instead of temporary ones.
  ///
  /// - Returns: the entries to sort again, if their order would change. The list is then unchanged.
  ///   Usually there are none: a save assigns keys in the order of creation.
  func adoptPermanentIDs(of objects: some Sequence<ManagedObject>) -> [ListEntry] {
    let rekeyed = objects.filter { !$0.objectID.isTemporary }.compactMap(position)
      .filter { $0.entry.isSortedByTemporaryID }
    // Read before the ranks change: a row must fit between its neighbours.
    if hasUnread { for position in rekeyed { _ = isSorted(around: position) } }
    let before = rekeyed.map(\.entry.rank)
    for position in rekeyed { setRank(position.entry.object.objectID.rank, at: position) }
    guard !rekeyed.allSatisfy(isSorted) else { return [] }
    let entries = rekeyed.map(\.entry)
    for (position, rank) in zip(rekeyed, before) { setRank(rank, at: position) }
    return entries
  }

  private func setRank(_ rank: UInt64, at position: Tree.Position) {
    var entry = position.entry
    entry.rank = rank
    tree.replace(at: position, by: entry)
  }

  private func isSorted(around position: Tree.Position) -> Bool {
    let entry = position.entry
    if let before = neighbour(of: position, -1), entry.precedes(before, by: terms) { return false }
    if let after = neighbour(of: position, 1), after.precedes(entry, by: terms) { return false }
    return true
  }

  private func neighbour(of position: Tree.Position, _ distance: Int) -> ListEntry? {
    let (elements, offset) = (position.leaf.elements, position.offset + distance)
    if elements.indices.contains(offset), !elements[offset].isUnread { return elements[offset] }
    let index = index(of: position) + distance
    return (0..<count).contains(index) ? self[index] : nil
  }
}

extension SortedEntries.Tree.Position {
  var entry: ListEntry { leaf.elements[offset] }
}

extension [SortTerm] {
  /// Fires faults.
  func key(of object: ManagedObject) -> ContiguousArray<Value> {
    ContiguousArray(map { $0.path.value(of: object).folded($0.options) })
  }

  /// Objects that sort equally come in order of ID. Fires faults.
  func sorted(_ objects: [ManagedObject]) -> [ManagedObject] {
    guard isOfRow else {
      return objects.map { (object: $0, key: key(of: $0)) }
        .sorted { a, b in
          let order = order(ofKeys: a.key, b.key)
          return order == 0 ? a.object.objectID.rank < b.object.objectID.rank : order < 0
        }
        .map(\.object)
    }
    for object in objects { object.fireFault() }
    return objects.sorted { a, b in
      let order = order(a.values, b.values)
      return order == 0 ? a.objectID.rank < b.objectID.rank : order < 0
    }
  }
}

extension ContiguousArray {
  /// Finds a match by searching outwards from `start`, which may be behind the end. A near match
  /// is found by reading little memory.
  fileprivate func index(
    near start: Int, where condition: (borrowing Element) -> Bool
  ) -> Int? {
    withUnsafeBufferPointer { elements in
      for distance in 0..<Swift.max(start + 1, elements.count - start) {
        let (before, behind) = (start - distance, start + distance)
        if before >= 0, before < elements.count, condition(elements[before]) { return before }
        if behind < elements.count, condition(elements[behind]) { return behind }
      }
      return nil
    }
  }
}
