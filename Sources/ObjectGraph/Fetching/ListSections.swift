/// Divides a list into sections, like Core Data's `sectionNameKeyPath`. The list must be sorted by
/// this key first. Its functions run on the context's queue.
public struct SectionKey: Sendable {
  /// Makes a section's name from its key.
  public typealias Name = @Sendable (Value) -> String

  /// Nil for a computed key.
  let column: Int?
  let value: @Sendable (ManagedObject) -> Value
  let isAscending: Bool
  let name: Name

  /// One section for each value of the column.
  public static func column(
    _ index: Int, isAscending: Bool = true, name: @escaping Name = SectionKey.plainName
  ) -> SectionKey {
    SectionKey(column: index, value: { $0[index] }, isAscending: isAscending, name: name)
  }

  /// One section for each value of the attribute.
  public static func attribute<V>(
    _ key: AttributeKey<V>, isAscending: Bool = true,
    name: @escaping Name = SectionKey.plainName
  ) -> SectionKey {
    column(key.index, isAscending: isAscending, name: name)
  }

  /// One section for each computed value, such as the first letter of a name.
  ///
  /// - Parameter key: computes a key, null or of one type, when an object is listed or changes.
  ///   Fires its fault.
  public static func computed(
    isAscending: Bool = true, name: @escaping Name = SectionKey.plainName,
    _ key: @escaping @Sendable (ManagedObject) -> Value
  ) -> SectionKey {
    SectionKey(column: nil, value: key, isAscending: isAscending, name: name)
  }

  /// The key as text; empty for null. Numbers read as `NSNumber` describes them: true is "1".
  public static func plainName(_ key: Value) -> String {
    switch key {
    case .null: ""
    case .bool(let value): value ? "1" : "0"
    case .double: key.description.replacing(/\.0$/, with: "")
    case .int64, .decimal, .uuid: key.description
    case .string(let value), .uri(let value): value
    case .date(let value): "\(value)"
    case .data(let value): "\(value.count) bytes"
    case .object(let id): "\(id.number)"
    }
  }
}

/// One section of a list.
public struct ListSection: Sendable, Equatable {
  /// Null for the single section of a list without a section key.
  public let key: Value
  public let name: String
  /// In the whole list.
  public let range: Range<Int>

  /// 0 only for the single section of a list without a key.
  public var count: Int { range.count }
}

/// The fetched objects are not in order of their sections (Core Data's 134060).
public struct SectionsOutOfOrder: Error, Equatable, CustomStringConvertible {
  public let index: Int
  public let name: String
  public let previous: String
  public var code: Int { 134_060 }

  public var description: String {
    "the object at index \(index) is in section '\(name)' but follows section '\(previous)'; sort"
      + " by the section key first, in the key's direction"
  }
}

/// The list sorts by the section key, but in the other direction (Core Data's 134060).
public struct SectionsReversed: Error, Equatable, CustomStringConvertible {
  public let attribute: String
  /// The direction of the sort order.
  public let isAscending: Bool
  public var code: Int { 134_060 }

  public var description: String {
    "the list sorts by '\(attribute)' \(isAscending ? "ascending" : "descending"), and its sections"
      + " have the other direction; make the section key with isAscending: \(isAscending)"
  }
}

/// The section keys. A section's range is found in the list.
final class ListSections {
  private let entries: SortedEntries
  private let term: SortTerm
  private let keys: CountedTree<Value>

  init(of entries: SortedEntries, by term: SortTerm) {
    self.entries = entries
    self.term = term
    var keys: [Value] = []
    entries.forEach { entry in
      let key = entry.row[term.attribute]
      if keys.last.map({ term.order($0, key) != 0 }) ?? true { keys.append(key) }
    }
    self.keys = CountedTree(keys) { _, _ in }
  }

  var count: Int { keys.count }

  func section(_ index: Int, named name: SectionKey.Name) -> ListSection {
    let key = keys[index]
    return ListSection(key: key, name: name(key), range: range(of: key))
  }

  func path(at index: Int) -> ListPath {
    let key = key(of: entries[index])
    return ListPath(section: self.index(of: key), item: index - start(of: key))
  }

  private func key(of entry: ListEntry) -> Value { entry.row[term.attribute] }

  private func start(of key: Value) -> Int {
    entries.firstIndex { term.order($0.row[term.attribute], key) >= 0 }
  }

  private func range(of key: Value) -> Range<Int> {
    start(of: key)..<entries.firstIndex { term.order($0.row[term.attribute], key) > 0 }
  }

  /// If the key has no section, the index that a new one would get.
  private func index(of key: Value) -> Int {
    keys.firstPosition { term.order($0, key) >= 0 }.index
  }

  private func contains(_ key: Value) -> Bool {
    let index = index(of: key)
    return index < count && term.order(keys[index], key) == 0
  }

  // MARK: Changing

  func indexes(of entries: some Sequence<ListEntry>) -> [Int] {
    Set(Set(entries.map(key)).map(index)).sorted()
  }

  /// - Returns: the indexes before the removal.
  func removeEmpty(among indexes: [Int]) -> [Int] {
    let empty = indexes.filter { range(of: keys[$0]).isEmpty }
    for index in empty.reversed() { keys.remove(at: keys.position(at: index)) }
    return empty
  }

  /// - Returns: the indexes of the new sections, ascending.
  func add(for entries: some Sequence<ListEntry>) -> [Int] {
    entries.map(key).compactMap { key in
      guard !contains(key) else { return nil }
      let (position, index) = keys.firstPosition { term.order($0, key) >= 0 }
      keys.insert(key, at: position)
      return index
    }
  }
}
