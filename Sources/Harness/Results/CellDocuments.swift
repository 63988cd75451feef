package import Foundation

/// Reads cells' documents: one document a line, or a single document over many lines.
package enum CellDocuments {
  /// The error in a document and the line where the document begins.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let message: String

    package var description: String { "line \(line): \(message)" }
  }

  package static func read(_ data: Data) throws(Failure) -> [CellDocument] {
    // Documents in `NAME.cells/` are indented over many lines.
    if let one = try? JSONDecoder().decode(CellDocument.self, from: data) {
      return [try spoken(one, line: 1)]
    }
    var documents: [CellDocument] = []
    for (index, line) in lines(of: data).enumerated() where !isBlank(line) {
      documents.append(try document(line, number: index + 1))
    }
    return documents
  }

  private static func lines(of data: Data) -> [Data] {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  private static func isBlank(_ line: Data) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
  }

  private static func document(_ line: Data, number: Int) throws(Failure) -> CellDocument {
    let document: CellDocument
    do {
      document = try JSONDecoder().decode(CellDocument.self, from: line)
    } catch {
      throw Failure(line: number, message: "not a cell's document: \(error.inJSON)")
    }
    return try spoken(document, line: number)
  }

  private static func spoken(_ document: CellDocument, line: Int) throws(Failure) -> CellDocument {
    guard document.protocol == CellSpecification.protocolVersion else {
      throw Failure(
        line: line, message: "\(CellError.otherProtocol(document.protocol))")
    }
    return document
  }
}

extension Error {
  /// The path in the JSON and the error, in one line.
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
