package import Foundation
import Judging
package import Measurement
import Support

/// Reads cells' documents: one on each line, or one over many lines.
package enum CellDocuments {
  package static func read(_ data: Data) throws(HarnessError) -> [CellDocument] {
    if let one = try? CellDocument(json: data) {
      return [try checked(one, line: 1)]
    }
    var documents: [CellDocument] = []
    for (number, line) in lines(of: data) {
      let document: CellDocument
      do {
        document = try CellDocument(json: line)
      } catch {
        throw HarnessError("line \(number): not a cell's document: \(error.inJSON)")
      }
      documents.append(try checked(document, line: number))
    }
    return documents
  }

  /// The lines that are not blank, with their numbers from 1.
  package static func lines(of data: Data) -> [(number: Int, text: Data)] {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .filter { !$0.element.allSatisfy(" \r".utf8.contains) }
      .map { ($0.offset + 1, $0.element) }
  }

  private static func checked(
    _ document: CellDocument, line: Int
  ) throws(HarnessError) -> CellDocument {
    guard document.protocol == CellSpecification.protocolVersion else {
      throw HarnessError("line \(line): \(HarnessError.otherProtocol(document.protocol))")
    }
    return document
  }

  private struct Windows: Decodable {
    let result: CellResult
    let windows: [WindowSample]
  }

  /// - Parameter reports: CSV files, one of which holds the cell. `-` has no documents.
  /// - Throws: `HarnessError` also if the document with the cell's name belongs to another cell.
  package static func medianRepeat(
    of cell: CellResult, besides reports: [String]
  ) throws(HarnessError) -> WindowSample {
    var reason = "no document of the cell lies beside the report"
    for report in reports where report != "-" {
      let csv = URL(fileURLWithPath: report)
      guard let file = try? ResultsFile.document(of: cell, in: csv) else {
        throw HarnessError("a document cannot have the name of its cell")
      }
      guard let data = try? Data(contentsOf: file) else { continue }
      guard let document = try? JSONDecoder().decode(Windows.self, from: data) else {
        reason = "the cell’s document cannot be read"
        continue
      }
      let found = document.result
      guard CellKey(found) == CellKey(cell), found.runID == cell.runID, found.trial == cell.trial,
        found.order == cell.order
      else { continue }
      if let sample = document.windows.medianRepeat { return sample }
      reason = "the cell’s document holds no window"
    }
    throw HarnessError(reason)
  }
}

extension CellDocument {
  /// Also takes a document of the previous schema, as a duet's older binary writes it.
  package init(json: Data) throws {
    self = try JSONDecoder().decode(CellDocument.self, from: json)
    result = result.ofThisSchema
  }
}

extension Error {
  package var inJSON: String {
    switch self as any Error {
    case DecodingError.keyNotFound(let key, let context):
      "'\(Self.path(context.codingPath + [key]))' is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "'\(Self.path(context.codingPath))': \(context.debugDescription)".oneLine
    case DecodingError.dataCorrupted(let context): context.debugDescription.oneLine
    default: "\(self)".oneLine
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }
}
