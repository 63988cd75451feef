package struct DocumentFormat: Sendable {
  package let name: String
  let render: @Sendable (Document, TextStyle) -> String

  package static let all: [DocumentFormat] = [.table, .markdown, .html]
}

package enum JSONFormat: String, Sendable, CaseIterable {
  case json
}

package enum CellsFormat: String, Sendable, CaseIterable {
  case json, csv
}

/// A document's format, or one of `Data` for programs.
package enum OutputFormat<Data: RawRepresentable<String> & CaseIterable & Equatable & Sendable>:
  RawRepresentable, CaseIterable, Sendable
{
  case document(DocumentFormat)
  case data(Data)

  package init?(rawValue name: String) {
    guard let format = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
    self = format
  }

  package var rawValue: String {
    switch self {
    case .document(let format): format.name
    case .data(let data): data.rawValue
    }
  }

  package static var allCases: [OutputFormat] {
    DocumentFormat.all.map(OutputFormat.document) + Data.allCases.map(OutputFormat.data)
  }

  package static var table: OutputFormat { .document(.table) }
}
