package import Foundation
package import Judging
package import Measurement

/// The reports of one side of a page, and what lies beside them.
package struct PageSide: Sendable {
  /// The name of a CSV file, and its environment file: nil where it has none.
  package struct File: Sendable {
    package let name: String
    package let environment: Data?

    package init(name: String, environment: Data?) {
      self.name = name
      self.environment = environment
    }
  }

  /// What main did in one repeat of a cell, or why that is not known.
  package enum Window: Sendable {
    case known(WindowSample)
    case unknown(String)
  }

  package let files: [File]
  package let summary: Summary
  /// By scenario: the question it puts.
  package let questions: [String: String]
  /// Of the cells that a page shows closer: see `shownCells`.
  package var windows: [CellIdentity: Window] = [:]

  package init(
    files: [File], cells: [CellResult], context: Summary.Context = Summary.Context(),
    questions: [String: String] = [:]
  ) {
    self.files = files
    self.questions = questions
    summary = Summary(cells: cells, context: context)
  }

  /// The median trial of each topology: those whose windows are worth reading.
  package var shownCells: [CellResult] {
    var groups: [CellKey: [CellResult]] = [:]
    for cell in summary.cells { groups[CellKey(cell), default: []].append(cell) }
    return groups.values.compactMap { MedianTrial($0)?.shown }
  }
}

/// What tells a cell of a report from all others.
package struct CellIdentity: Hashable, Sendable {
  package let key: CellKey
  package let runID: String
  package let trial: Int
  package let order: Int

  package init(_ cell: CellResult) {
    key = CellKey(cell)
    runID = cell.runID
    trial = cell.trial
    order = cell.order
  }
}
