// What a list sorts by is one row for each object, so that finding a place looks at nothing else:
//
//   [name]                              the object's own values   name · country · population
//   [country.name, name], or sections   made for the list         country.name · name · section key
//   by a computed key, or text folded
//
// The section key is a column of that row, and the first that the list is in the order of: an object
// whose key changes moves, and sections never change places.

/// How the entries of a list are made, ordered and divided.
struct ListLayout {
  /// The order of the request, by columns of the entries' rows.
  let requested: [SortTerm]
  /// The section key's column, if there is one.
  let section: SortTerm?
  /// The section key's column, then the order of the request.
  let descriptors: [SortTerm]
  let key: SectionKey?
  /// Whether rows are made for the list, from realised objects.
  let makesRows: Bool
  private let source: [SortTerm]
  /// What the list is sorted by first, whether divided or not; nil if that differs.
  private let leader: SortTerm?

  init(_ request: FetchRequest, by key: SectionKey?) {
    self.key = key
    source = request.sortDescriptors
    makesRows =
      key?.isComputed == true || source.contains { !$0.steps.isEmpty || !$0.options.isEmpty }
    requested =
      makesRows
      ? source.enumerated().map { SortTerm($0, isAscending: $1.isAscending) } : source
    let column = makesRows ? source.count : key?.column
    section = key.flatMap { key in
      column.map { SortTerm($0, isAscending: key.isAscending) }
    }
    let isFirst = section == requested.first
    descriptors = (isFirst ? [] : [section].compactMap(\.self)) + requested
    leader = requested.first == descriptors.first ? requested.first : nil
  }

  /// The entry of an object with these values.
  func entry(_ object: ManagedObject, _ values: ContiguousArray<Value>) -> ListEntry {
    guard makesRows else { return entry(object, ofRow: values) }
    var row = source.key(of: object)
    if let key { row.append(key.value(of: object)) }
    return entry(object, ofRow: row)
  }

  private func entry(_ object: ManagedObject, ofRow row: ContiguousArray<Value>) -> ListEntry {
    ListEntry(object: object, row: row, abbreviation: leader?.abbreviation(of: row) ?? 0)
  }

  /// - Throws: `SectionsOutOfOrder` if the entries, in the order of the request, are not in that of
  ///   the sections.
  func checkSections(of entries: [ListEntry]) throws {
    guard let section, let key else { return }
    for index in entries.indices.dropFirst() {
      let (before, here) = (entries[index - 1].row, entries[index].row)
      if [section].order(before, here) > 0 {
        throw SectionsOutOfOrder(
          index: index, name: key.name(here[section.attribute]),
          previous: key.name(before[section.attribute]))
      }
    }
  }
}

extension SectionKey {
  fileprivate var isComputed: Bool {
    if case .computed = source { true } else { false }
  }

  /// Nil for a computed key.
  fileprivate var column: Int? {
    if case .column(let index) = source { index } else { nil }
  }

  fileprivate func value(of object: ManagedObject) -> Value {
    switch source {
    case .column(let index): object[index]
    case .computed(let key): key(object)
    }
  }
}
