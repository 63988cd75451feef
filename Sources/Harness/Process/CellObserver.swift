package import Judging
package import Measurement

/// Hears how far a run has come. It is called between cells, by the process that starts them and
/// that measures nothing; while it works no cell runs.
package protocol CellObserver: Sendable {
  /// There is more to do.
  ///
  /// - Parameters:
  ///   - cells: one for each cell, those of a section together.
  ///   - finished: those of them that need not run again.
  func planned(_ cells: [CellKey], finished: [CellResult])

  /// A cell's process is about to start.
  func began(_ cell: CellKey)

  /// It has ended, and its row is kept.
  func ended(_ cell: CellKey, as result: CellResult)
}
