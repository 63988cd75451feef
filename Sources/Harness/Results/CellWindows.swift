import Foundation
import Judging
package import Measurement

/// Reads the windows of a cell from its document beside the report.
package enum CellWindows {
  /// Why there is no window to read, as a clause for a message.
  package struct Missing: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// The members of a document that are decoded.
  private struct Document: Decodable {
    let result: CellResult
    let windows: [WindowSample]
  }

  /// The cell's median repeat.
  ///
  /// - Parameter reports: CSV files; one of them holds the cell. `-` has no documents.
  /// - Throws: `Missing` also if the document with the cell's name belongs to another cell.
  package static func medianRepeat(
    of cell: CellResult, besides reports: [String]
  ) throws(Missing) -> WindowSample {
    let name = ResultsFile.documentName(of: cell)
    // A name from a file must not lead out of the folder.
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
