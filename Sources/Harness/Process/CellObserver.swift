package import Judging
package import Measurement

/// Observes the progress of a run. The process that starts the cells calls it, between two cells:
/// no cell runs meanwhile.
package protocol CellObserver: Sendable {
  /// More cells were planned.
  ///
  /// - Parameters:
  ///   - cells: the key of each cell; those of a section follow one another.
  ///   - finished: the results of the cells that need not run again.
  func planned(_ cells: [CellKey], finished: [CellResult])

  /// A cell's process is about to start.
  func began(_ cell: CellKey)

  /// The cell's process has ended, and its row is on disk.
  func ended(_ cell: CellKey, as result: CellResult)
}
