package import Foundation
package import Judging
package import Measurement

package struct PageSide: Sendable {
  /// The name of a CSV file, and the content of its environment file.
  package typealias File = (name: String, environment: Data?)

  /// Main's work in one repeat of a cell, or the reason why it is unknown.
  package enum Timeline: Sendable {
    case known(WindowSample)
    case unknown(String)
  }

  package let files: [File]
  package let summary: Summary
  /// Grouped once, because a sweep has hundreds of sections.
  let trials: [CellKey: [CellResult]]
  package let questions: [String: String]
  /// The median repeats of `shownCells`.
  package var timelines: [CellKey: Timeline] = [:]

  package init(
    files: [File], cells: [CellResult], context: RunContext = RunContext(),
    questions: [String: String] = [:]
  ) {
    self.files = files
    self.questions = questions
    summary = Summary(cells: cells, context: context)
    trials = Dictionary(grouping: summary.cells, by: CellKey.init)
  }

  /// The median trial of each topology. A page draws the timelines of these alone.
  package var shownCells: [CellResult] {
    trials.values.compactMap { MedianTrial($0)?.shown }
  }
}
