/// What divides a list into sections, as Core Data's `sectionNameKeyPath`. Objects must be sorted by
/// it first; what the sort says of the rest holds within a section.
public struct SectionKey {
  /// From the key to what a section is called.
  public typealias Name = (Value) -> String

  enum Source {
    case column(Int)
    case computed((ManagedObject) -> Value)
  }

  let source: Source
  /// Whether the list's sort brings the keys in rising order.
  let isAscending: Bool
  let name: Name

  /// One section for each value of the column at this index.
  public static func column(
    _ index: Int, isAscending: Bool = true, name: @escaping Name = SectionKey.plainName
  ) -> SectionKey {
    SectionKey(source: .column(index), isAscending: isAscending, name: name)
  }

  /// One section for each value of the attribute.
  ///
  /// - Parameter isAscending: whether the list's sort brings the values in rising order.
  public static func attribute<V>(
    _ key: AttributeKey<V>, isAscending: Bool = true,
    name: @escaping Name = SectionKey.plainName
  ) -> SectionKey {
    column(key.index, isAscending: isAscending, name: name)
  }

  /// One section for each value that `key` makes of an object: the first letter of a name, say.
  ///
  /// - Parameters:
  ///   - isAscending: whether the list's sort brings the keys in rising order.
  ///   - key: called on the context's queue whenever an object is listed or changes; fires its fault.
  ///     Its values are null or of one type.
  public static func computed(
    isAscending: Bool = true, name: @escaping Name = SectionKey.plainName,
    _ key: @escaping (ManagedObject) -> Value
  ) -> SectionKey {
    SectionKey(source: .computed(key), isAscending: isAscending, name: name)
  }

  /// A text as it is, other values as they are written; nothing for null.
  public static func plainName(_ key: Value) -> String {
    switch key {
    case .null: ""
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): value
    case .date(let value): "\(value)"
    case .data(let value): "\(value.count) bytes"
    case .object(let id): "\(id.number)"
    }
  }
}

/// One section of a list.
public struct ListSection: Sendable, Equatable {
  /// Null for the only section of a list without a section key.
  public let key: Value
  public let name: String
  /// Where its objects are in the whole list.
  public let range: Range<Int>

  /// How many objects it holds: at least one, but for the only section of a list without a key.
  public var count: Int { range.count }
}

/// A fetch brought objects whose sections are not in the order of the sort (Core Data's 134060).
public struct SectionsOutOfOrder: Error, Equatable, CustomStringConvertible {
  public let index: Int
  public let name: String
  public let previous: String
  public var code: Int { 134_060 }

  public var description: String {
    "the object at index \(index) is of section '\(name)' and comes after section '\(previous)'; "
      + "sort by what makes the sections first, in the direction that the section key states"
  }
}

/// The sections of a list: their keys, in order, and where each begins.
struct ListSections: Equatable {
  private(set) var keys: [Value] = []
  /// One more than there are keys; the last is where the list ends.
  private(set) var starts: [Int] = [0]

  /// - Parameter counts: how many objects each key has; those with none are left out.
  init(counts: [Value: Int], isAscending: Bool) {
    keys = counts.filter { $0.value > 0 }.map(\.key)
      .sorted { ($0.order(relativeTo: $1) < 0) == isAscending }
    for key in keys { starts.append((starts.last ?? 0) + (counts[key] ?? 0)) }
  }

  init(of entries: [ListEntry], by section: SortTerm) {
    let counts = Dictionary(entries.map { ($0.row[section.attribute], 1) }, uniquingKeysWith: +)
    self.init(counts: counts, isAscending: section.isAscending)
  }

  /// The sections after a change of the list, in time that grows with the sections and the changes,
  /// not with the list.
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

  /// The indexes of the sections that `other` does not have.
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
