/// Divides a list into sections, like Core Data's `sectionNameKeyPath`. The list must be sorted by
/// it first. Further sort terms order the objects within a section.
public struct SectionKey {
  /// Makes a section's name from its key.
  public typealias Name = (Value) -> String

  /// Nil for a computed key.
  let column: Int?
  let value: (ManagedObject) -> Value
  /// Whether the list's sort order has the keys ascending.
  let isAscending: Bool
  let name: Name

  /// One section for each value of the column at this index.
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

  /// One section for each value that `key` computes, such as the first letter of a name.
  ///
  /// - Parameter key: computes an object's key, null or of one type. Called on the context's queue
  ///   when an object is listed or changes. Fires its fault.
  public static func computed(
    isAscending: Bool = true, name: @escaping Name = SectionKey.plainName,
    _ key: @escaping (ManagedObject) -> Value
  ) -> SectionKey {
    SectionKey(column: nil, value: key, isAscending: isAscending, name: name)
  }

  /// Text unchanged, and other values as text; empty for null.
  public static func plainName(_ key: Value) -> String {
    switch key {
    case .null: ""
    case .int64, .double, .bool: key.description
    case .string(let value): value
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
  /// The section's range in the whole list.
  public let range: Range<Int>

  /// The number of objects. Only the single section of a list without a key can be empty.
  public var count: Int { range.count }
}

/// A fetch returned objects whose sections are not in the order of the sort (Core Data's 134060).
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

struct ListSections: Equatable {
  private(set) var keys: [Value] = []
  /// One more element than `keys`. The last is the length of the list.
  private(set) var starts: [Int] = [0]

  /// - Parameter counts: the number of objects by key; keys without objects are left out.
  init(counts: [Value: Int], isAscending: Bool) {
    keys = counts.filter { $0.value > 0 }.map(\.key)
      .sorted { ($0.order(relativeTo: $1) < 0) == isAscending }
    for key in keys { starts.append((starts.last ?? 0) + (counts[key] ?? 0)) }
  }

  init(of entries: [ListEntry], by section: SortTerm) {
    let counts = Dictionary(entries.map { ($0.row[section.attribute], 1) }, uniquingKeysWith: +)
    self.init(counts: counts, isAscending: section.isAscending)
  }

  /// The sections after a change. Its time grows with the sections and changes, not with the list.
  func after(
    _ changes: ListChanges, from taken: [Int: ListEntry], to after: [ListEntry],
    by section: SortTerm
  ) -> ListSections {
    var counts = Dictionary(
      uniqueKeysWithValues: keys.indices.map { (keys[$0], starts[$0 + 1] - starts[$0]) })
    for index in changes.deletions + changes.moves.map(\.from) {
      if let entry = taken[index] { counts[entry.row[section.attribute], default: 0] -= 1 }
    }
    for index in changes.insertions + changes.moves.map(\.to) {
      counts[after[index].row[section.attribute], default: 0] += 1
    }
    return ListSections(counts: counts, isAscending: section.isAscending)
  }

  func indexes(missingIn other: ListSections) -> [Int] {
    let others = Set(other.keys)
    return keys.indices.filter { !others.contains(keys[$0]) }
  }

  func path(at index: Int) -> ListPath {
    var low = 0
    var high = keys.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return ListPath(section: low, item: index - starts[low])
  }

  func index(of path: ListPath) -> Int { starts[path.section] + path.item }

  func section(_ index: Int, named name: SectionKey.Name) -> ListSection {
    ListSection(key: keys[index], name: name(keys[index]), range: starts[index]..<starts[index + 1])
  }
}
