package import Measurement

/// The answer of a run. Tables, sentences and files are made from it alone.
package struct Summary: Codable, Sendable {
  /// Not encoded: a report holds them.
  package private(set) var cells: [CellResult] = []
  /// One for each scenario, parameters and store mode, in the order of first appearance.
  package let sections: [SummarySection]
  /// One for each scenario, store mode and field with more than one value.
  package let sweeps: [Sweep]

  enum CodingKeys: String, CodingKey { case sections, sweeps }

  package init(cells: [CellResult], context: RunContext = RunContext()) {
    self.cells = cells
    let sections = cells.grouped { CellKey($0).with(topology: "") }
      .map { SummarySection(cells: $0.elements, context: context) }
    let discarded = Set(sections.filter(\.isDiscarded).map(\.scenario))
    sweeps = Sweep.all(in: cells.filter { !discarded.contains($0.scenario) })
    self.sections = sections
  }
}
