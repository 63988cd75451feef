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
    sweeps = Sweep.all(in: cells)
    sections = cells.grouped { CellKey($0).with(topology: "") }
      .map { SummarySection(cells: $0.elements, context: context) }
  }
}
