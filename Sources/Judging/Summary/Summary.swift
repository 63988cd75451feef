package import Measurement

/// Tables, sentences and files are made from this result alone.
package struct Summary: Codable, Sendable {
  /// Not encoded: a report holds them.
  package private(set) var cells: [CellResult] = []
  /// Scenarios and stores are in the order of first appearance, parameters in the order of values.
  package let sections: [SummarySection]
  /// One for each scenario, store mode and field with several values.
  package let sweeps: [Sweep]

  enum CodingKeys: String, CodingKey { case sections, sweeps }

  /// - Parameter joinsStores: whether a topology of one store mode alone joins another's section,
  ///   as described in StoreModes. A comparison shows it where it was measured.
  package init(
    cells: [CellResult], context: RunContext = RunContext(), joinsStores: Bool = true
  ) {
    self.cells = cells
    let stores = StoreModes(cells.lazy.map(CellKey.init).prefix(joinsStores ? .max : 0))
    let sections = cells.grouped { stores.section(of: CellKey($0)) }
      .map { SummarySection(cells: $0.elements, store: $0.key.store, context: context) }
      .inOrderOfValues { ($0.scenario, $0.store, $0.parameters) }
    let discarded = Set(sections.filter(\.isDiscarded).map(\.scenario))
    sweeps = Sweep.all(
      in: cells.filter { !discarded.contains($0.scenario) && !$0.isCounted }, stores)
    self.sections = sections
  }
}

extension Sequence {
  /// In the order of the keys' first appearance.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])]
  {
    var places: [Key: Int] = [:]
    var groups: [(key: Key, elements: [Element])] = []
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].elements.append(element)
      } else {
        places[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}
