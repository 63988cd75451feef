import Judging

// Every answer is one function from a value to a document, and every format is one renderer:
//
//   Summary, Comparison, GateReport, … ─▶ Document ─▶ TextRenderer
//                                                  ─▶ MarkdownRenderer
//                                                  ─▶ HTMLRenderer
//
// Texts in a document are raw. Renderers escape them.

/// The content of an answer, without a format.
package struct Document: Sendable {
  /// A terminal omits the title, because it shows the command.
  var title: String?
  var blocks: [Block]

  package init(title: String? = nil, blocks: [Block]) {
    self.title = title
    self.blocks = blocks
  }

  package enum Block: Sendable {
    case section(String, [Block], Place = Place())
    case paragraph(String, Emphasis = .plain)
    case lines([String])
    /// Failures, or limits of the answer.
    case list([String])
    case terms([Term])
    /// Only a page draws the marks of its cells.
    case table(Table)
    /// Rows of a CSV file.
    case csv(String, [String], id: String? = nil)
    /// A sentence that ends with links.
    case links(String, [Link])
  }

  package enum Emphasis: Sendable {
    case plain
    case question
    /// A conclusion. A terminal shows it in its place; other formats show it first.
    case answer
    /// Explains an answer or doubts it. A terminal shows it without a blank line before it.
    case reason
    /// How to read a table or a figure.
    case legend
    /// The work behind an answer, or the reason why something is missing.
    case note
    /// A limit of the whole document.
    case aside
  }

  package struct Term: Sendable {
    let name: String
    let text: String
  }

  package struct Link: Sendable {
    let target: String
    let text: String
    let detail: String?

    package init(target: String, text: String, detail: String? = nil) {
      (self.target, self.text, self.detail) = (target, text, detail)
    }
  }

  /// A section's role on a page. Other formats ignore it.
  package struct Place: Sendable {
    /// `prose` is text in two columns.
    enum Kind: Sendable { case plain, part, figure, prose, folded }

    var kind = Kind.plain
    var id: String?
    /// The cells of the section, for programs.
    var cells: CellKey?
  }
}

extension Document.Block {
  /// Nil without content, so that nothing empty has a heading.
  static func section(
    _ heading: String, _ kind: Document.Place.Kind, id: String? = nil, _ blocks: [Self?]
  ) -> Self? {
    let blocks = blocks.compactMap { $0 }
    return blocks.isEmpty
      ? nil : .section(heading, blocks, Document.Place(kind: kind, id: id))
  }

  /// Without the parts that only a page can show.
  var asText: Self {
    switch self {
    case .links(let lead, let links): .paragraph(lead + links.map(\.text).joined(separator: ", "))
    case .csv(_, let lines, _): .lines(lines)
    case .table(let table): .table(table.withoutMarks)
    default: self
    }
  }
}

extension [Document.Block] {
  var answerFirst: [Document.Block] {
    func isAnswer(_ block: Document.Block) -> Bool {
      guard case .paragraph(_, let emphasis) = block else { return false }
      return emphasis == .question || emphasis == .answer
    }
    return filter(isAnswer) + filter { !isAnswer($0) }
  }
}

package struct DocumentFormat: Sendable {
  package let name: String
  package let render: @Sendable (Document, TextStyle) -> String

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
