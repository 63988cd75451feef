// A list sorts by one row for each object, so finding a position reads nothing else:
//
//   [name]                              the object's own values   name · country · population
//   [country.name, name], or sections   built for the list        country.name · name · section key
//   by a computed key or a transient
//   attribute, or folded text
//
// The section key is a column of that row and the first sort term. So an object whose key changes
// moves, and sections never change their order.

struct ListLayout {
  /// The request's terms, as columns of the entries' rows.
  let requested: [SortTerm]
  let section: SortTerm?
  /// All terms, the section's first.
  let terms: [SortTerm]
  let key: SectionKey?
  /// Whether rows are built for the list, from realised objects.
  let makesRows: Bool
  let sortsByRelatedObjects: Bool
  private let source: [SortTerm]
  /// The first sort term, if it is the same with and without sections.
  private let leader: SortTerm?

  init(_ request: FetchRequest, by key: SectionKey?) {
    self.key = key
    source = request.sortTerms
    let columns = request.entity.columns
    makesRows =
      key.map { $0.column.map { columns[$0].isTransient } ?? true } == true
      || source.contains { !$0.steps.isEmpty || !$0.options.isEmpty }
    requested =
      makesRows
      ? source.enumerated().map {
        SortTerm($0, isAscending: $1.isAscending).localized($1.comparison)
      } : source
    let column = makesRows ? source.count : key?.column
    section = key.flatMap { [source] key in
      column.map { column in
        var term = SortTerm(column, isAscending: key.isAscending)
        // Sections are in the order of their objects.
        if let first = source.first,
          key.column == nil || first.steps.isEmpty && first.attribute == key.column
        {
          (term.comparison, term.options) = (first.comparison, first.options)
        }
        return term
      }
    }
    let isFirst = section == requested.first
    terms = (isFirst ? [] : [section].compactMap(\.self)) + requested
    leader = requested.first == terms.first ? requested.first : nil
    let plain = source.filter(\.steps.isEmpty).map(\.attribute) + [key?.column].compactMap(\.self)
    sortsByRelatedObjects = plain.contains { columns[$0].relationship != nil }
  }

  func entry(_ object: ManagedObject, _ values: ContiguousArray<Value>) -> ListEntry {
    guard makesRows else { return entry(object, ofRow: values) }
    var row = source.key(of: object)
    if let key { row.append(key.value(object)) }
    return entry(object, ofRow: row)
  }

  private func entry(_ object: ManagedObject, ofRow row: ContiguousArray<Value>) -> ListEntry {
    ListEntry(object: object, row: row, abbreviation: leader?.abbreviation(of: row) ?? 0)
  }

  /// Whether the entry's place depends on a temporary ID: its object's, or a related object's.
  func sortsByTemporaryID(_ entry: ListEntry) -> Bool {
    entry.isSortedByTemporaryID
      || sortsByRelatedObjects
        && terms.contains { entry.row[$0.attribute].objectID?.isTemporary == true }
  }

  /// - Throws: `SectionsReversed`.
  func checkDirection(in request: FetchRequest) throws {
    guard let key, let column = key.column, let first = source.first, first.steps.isEmpty,
      first.attribute == column, first.isAscending != key.isAscending
    else { return }
    throw SectionsReversed(
      attribute: request.entity.columns[column].name, isAscending: first.isAscending)
  }

  /// - Throws: `SectionsOutOfOrder`, for entries in the request's order.
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
