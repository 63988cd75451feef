import Foundation
import Judging
package import Measurement

/// Reads what main did in a cell from the document that its run kept beside the report.
package enum CellWindows {
  /// Why there is nothing to read, in a clause.
  package struct Missing: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// What of a document is needed.
  private struct Document: Decodable {
    let result: CellResult
    let windows: [WindowSample]
  }

  /// The cell's median repeat.
  ///
  /// - Parameter reports: CSV files, one of which the cell is from; `-` has no documents.
  /// - Throws: `Missing` also if a document of that name is of another cell.
  package static func medianRepeat(
    of cell: CellResult, besides reports: [String]
  ) throws(Missing) -> WindowSample {
    let name = ResultsFile.documentName(of: cell)
    // A name out of a file leads nowhere but into the folder.
    guard !name.contains("/"), !name.contains("\0") else {
      throw Missing(description: "a document cannot have the name of its cell")
    }
    var reason = "no document of the cell lies beside the report"
    for report in reports where report != "-" {
      let folder = ResultsFile.cells(of: URL(fileURLWithPath: report))
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { continue }
      guard let document = try? JSONDecoder().decode(Document.self, from: data) else {
        reason = "the cell’s document cannot be read"
        continue
      }
      guard document.result.isSameCell(as: cell) else { continue }
      if let sample = document.windows.medianRepeat { return sample }
      reason = "the cell’s document holds no window"
    }
    throw Missing(description: reason)
  }
}

extension CellResult {
  fileprivate func isSameCell(as other: CellResult) -> Bool {
    CellKey(self) == CellKey(other) && runID == other.runID && trial == other.trial
      && order == other.order
  }
}
