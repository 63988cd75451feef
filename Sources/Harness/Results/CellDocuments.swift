package import Foundation
import Judging
package import Measurement

/// Reads cells' documents: one on each line, or one over many lines.
package enum CellDocuments {
  package struct Malformed: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
  }

  package static func read(_ data: Data) throws(Malformed) -> [CellDocument] {
    if let one = try? JSONDecoder().decode(CellDocument.self, from: data) {
      return [try spoken(one, line: 1)]
    }
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var documents: [CellDocument] = []
    for (index, line) in lines.enumerated() where !line.allSatisfy(" \r".utf8.contains) {
      documents.append(try document(line, number: index + 1))
    }
    return documents
  }

  private static func document(_ line: Data, number: Int) throws(Malformed) -> CellDocument {
    let document: CellDocument
    do {
      document = try JSONDecoder().decode(CellDocument.self, from: line)
    } catch {
      throw Malformed(line: number, message: "not a cell's document: \(error.inJSON)")
    }
    return try spoken(document, line: number)
  }

  private static func spoken(_ document: CellDocument, line: Int) throws(Malformed) -> CellDocument
  {
    guard document.protocol == CellSpecification.protocolVersion else {
      throw Malformed(
        line: line, message: "\(CellError.otherProtocol(document.protocol))")
    }
    return document
  }

  package struct Missing: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  private struct Windows: Decodable {
    let result: CellResult
    let windows: [WindowSample]
  }

  /// - Parameter reports: CSV files, one of which holds the cell. `-` has no documents.
  /// - Throws: `Missing` also if the document with the cell's name belongs to another cell.
  package static func medianRepeat(
    of cell: CellResult, besides reports: [String]
  ) throws(Missing) -> WindowSample {
    var reason = "no document of the cell lies beside the report"
    for report in reports where report != "-" {
      let csv = URL(fileURLWithPath: report)
      guard let file = try? ResultsFile.document(of: cell, in: csv) else {
        throw Missing(description: "a document cannot have the name of its cell")
      }
      guard let data = try? Data(contentsOf: file) else { continue }
      guard let document = try? JSONDecoder().decode(Windows.self, from: data) else {
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
