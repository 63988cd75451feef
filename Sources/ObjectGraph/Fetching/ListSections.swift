/// Divides a list into sections, like Core Data's `sectionNameKeyPath`. The list must be sorted by
/// this key first. Its functions run on the context's queue.
///
/// Example: `Snippets/list-with-sections.swift`.
public struct SectionKey: Sendable {
  public typealias Name = @Sendable (Value) -> String

  /// Nil for a computed key.
  public let column: Int?
  let value: @Sendable (ManagedObject) -> Value
  let isAscending: Bool
  /// Makes a section's name from its key.
  public let name: Name

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

  public init(key: Value, name: String, range: Range<Int>) {
    (self.key, self.name, self.range) = (key, name, range)
  }

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

/// The section keys. A section's range is found in the list, or counted if rows may be unread.
final class ListSections {
  private let entries: SortedEntries
  private let term: SortTerm
  private let keys: CountedTree<Value>
  /// The start of each section and the end of the last; nil if ranges are found in the list.
  private var starts: [Int]?

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

  /// - Parameter counts: the number of entries in each section, in order.
  init(_ counts: [(key: Value, count: Int)], of entries: SortedEntries, by term: SortTerm) {
    self.entries = entries
    self.term = term
    keys = CountedTree(counts.map(\.key)) { _, _ in }
    var end = 0
    starts = [0]
    for section in counts {
      end += section.count
      starts?.append(end)
    }
  }

  var count: Int { keys.count }

  func section(_ index: Int, named name: SectionKey.Name) -> ListSection {
    let key = keys[index]
    return ListSection(key: key, name: name(key), range: range(at: index))
  }

  private func range(at index: Int) -> Range<Int> {
    starts.map { $0[index]..<$0[index + 1] } ?? range(of: keys[index])
  }

  /// The key of the section that counts the entry at an index.
  func key(at index: Int) -> Value? { starts.map { keys[Self.section(at: index, $0)] } }

  private static func section(at index: Int, _ starts: [Int]) -> Int {
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return low
  }

  func path(at index: Int) -> ListPath {
    if let starts {
      let section = Self.section(at: index, starts)
      return ListPath(section: section, item: index - starts[section])
    }
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

  func indexes(of old: [ListDifference.Old]) -> [Int] {
    if let starts { return Set(old.map { Self.section(at: $0.index, starts) }).sorted() }
    return Set(Set(old.map { key(of: $0.entry) }).map(index)).sorted()
  }

  /// Follows a change that has been applied to the list.
  ///
  /// - Parameter indexes: the sections that entries left.
  func change(
    _ difference: ListDifference, leaving indexes: [Int]
  ) -> (deletions: [Int], insertions: [Int]) {
    let arrivals = difference.arrivals.lazy.map(\.entry)
    guard let before = starts else { return (removeEmpty(among: indexes), add(for: arrivals)) }
    var growth = [Int](repeating: 0, count: count)
    for old in difference.departures { growth[Self.section(at: old.index, before)] -= 1 }
    // Counted before empty sections go: an entry may move within its section.
    var new: [ListEntry] = []
    for entry in arrivals {
      let key = key(of: entry)
      if contains(key) { growth[index(of: key)] += 1 } else { new.append(entry) }
    }
    grow(by: growth)
    return (removeEmpty(among: indexes), add(for: new))
  }

  /// - Returns: the indexes before the removal.
  private func removeEmpty(among indexes: [Int]) -> [Int] {
    let empty = indexes.filter { range(at: $0).isEmpty }
    for index in empty.reversed() {
      keys.remove(at: keys.position(at: index))
      starts?.remove(at: index)
    }
    return empty
  }

  /// - Returns: the indexes of the new sections, ascending.
  private func add(for entries: some Sequence<ListEntry>) -> [Int] {
    entries.map(key).compactMap { key in
      guard !contains(key) else {
        grow(index(of: key), by: 1)
        return nil
      }
      let (position, index) = keys.firstPosition { term.order($0, key) >= 0 }
      keys.insert(key, at: position)
      if let start = starts?[index] {
        starts?.insert(start, at: index)
        grow(index, by: 1)
      }
      return index
    }
  }

  /// - Parameter changes: of each section.
  private func grow(by changes: [Int]) {
    var sum = 0
    for (section, change) in changes.enumerated() {
      sum += change
      starts?[section + 1] += sum
    }
  }

  private func grow(_ section: Int, by change: Int) {
    guard let count = starts?.count else { return }
    for index in (section + 1)..<count { starts?[index] += change }
  }
}
