// A list with a batch size fetches IDs, and counts the objects of each section.

extension ManagedObjectContext {
  /// Fetches the IDs; nil if all rows must be read at once.
  func batches(of request: FetchRequest) throws -> FetchedBatches? {
    var pending = request
    // Registered objects sort by their unsaved values.
    pending.includesPendingChanges = true
    guard !request.sortTerms.isEmpty, mayFetchInBatches(pending) else { return nil }
    return try FetchedBatches(request, in: self)
  }

  /// Counts the objects of each section; none without sections.
  ///
  /// - Returns: nil if only the rows tell the sections, or another context saved since the fetch.
  func sectionCounts(
    of batches: FetchedBatches, _ layout: ListLayout
  ) throws -> [(key: Value, count: Int)]? {
    guard !layout.makesRows else { return nil }
    guard let term = layout.section else { return [] }
    guard term == layout.requested.first,
      let type = batches.request.entity.columns[term.attribute].attribute?.type
    else { return nil }
    let sections = try fetchDictionaries(batches.request.countingSections(by: term, type)).map {
      guard case .int64(let count) = $0["count"] else { fatalError("a section has no count") }
      return (key: $0["key"] ?? .null, count: Int(count))
    }
    let listed = batches.request.window(sections.joined(by: term))
    return listed.reduce(0) { $0 + $1.count } == batches.count ? listed : nil
  }
}

extension FetchRequest {
  fileprivate func countingSections(by term: SortTerm, _ type: AttributeType) -> DictionaryRequest {
    let path = PredicatePath(column: term.attribute)
    let key = DictionaryProperty(name: "key", function: .value, path: path, type: type)
    var sections = DictionaryRequest(entity, [key, .count("count")], where: predicate)
    sections.groupBy = [path]
    sections.includesSubentities = includesSubentities
    sections.sortTerms = [SortTerm(0, isAscending: term.isAscending).localized(term.comparison)]
    return sections
  }

  /// The sections of the objects that offset and limit leave.
  fileprivate func window(
    _ sections: [(key: Value, count: Int)]
  ) -> [(key: Value, count: Int)] {
    var (skipped, rest) = (offset, limit ?? .max)
    return sections.compactMap { section in
      let left = max(0, section.count - skipped)
      skipped -= section.count - left
      let count = min(left, rest)
      rest -= count
      return count > 0 ? (section.key, count) : nil
    }
  }
}

extension [(key: Value, count: Int)] {
  /// Joins keys that the order does not tell apart.
  fileprivate func joined(by term: SortTerm) -> Self {
    reduce(into: []) { sections, section in
      if let last = sections.last, term.order(last.key, section.key) == 0 {
        sections[sections.count - 1].count += section.count
      } else {
        sections.append(section)
      }
    }
  }
}
