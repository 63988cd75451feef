import Judging

// Every answer is one function from a value to a document, and every format is one renderer:
//
//   Summary, Comparison, GateReport, … ─▶ Document ─▶ TextRenderer
//                                                  ─▶ MarkdownRenderer
//                                                  ─▶ HTMLRenderer
//
// Texts in a document are raw. Renderers alone escape them, each in the way of its format.

/// The content of an answer, without a format.
package struct Document: Sendable {
  /// The name of the document among others. A terminal shows the command instead.
  var title: String?
  var blocks: [Block]

  enum Block: Sendable {
    case section(String, [Block], Place = Place())
    case paragraph(String, Emphasis = .plain)
    /// Short lines, one below the other.
    case lines([String])
    /// What went wrong, or limits the answer.
    case list([String])
    /// - Parameter caption: empty for none. Only a page shows it.
    case terms([Term], caption: String = "")
    case table(Table)
    /// A list of the document's parts.
    case contents([Link])
    /// A sentence that ends with links.
    case links(String, [Link])
    case drawing(Drawing)
  }

  enum Emphasis: Sendable {
    case plain
    /// The scenario's question.
    case question
    /// A conclusion. A terminal shows it in its place; formats that are read from the top, first.
    case answer
    /// The meaning of a table's columns, or how to read a figure.
    case legend
    /// The work behind an answer, or the reason why something is missing.
    case note
    /// A limit of the whole document.
    case aside
  }

  struct Term: Sendable {
    let name: String
    let text: String
  }

  struct Link: Sendable {
    /// The `id` of a section or table.
    let target: String
    let text: String
    var detail: String?
  }

  /// A picture in SVG. Formats without pictures show its description.
  struct Drawing: Sendable {
    let description: String
    let html: HTML
  }
}

extension Document {
  /// The place of a section in a page. Other formats need none.
  struct Place: Sendable {
    enum Kind: Sendable {
      case plain
      /// A part of the page that the contents name.
      case part
      case contents
      case figure, doubts, rows, environment
      /// The table and the rows of a figure. Its heading is not shown.
      case behindFigure
      /// Figures beside each other. Its heading is not shown.
      case multiples
      /// Hidden until the reader opens it.
      case folded
    }

    var kind = Kind.plain
    var id: String?
    /// The scenario, parameters and store of the section's cells, for programs.
    var cells: CellKey?

    var hasHeading: Bool { ![.behindFigure, .multiples, .folded].contains(kind) }
  }
}

extension Document.Block {
  static func section(
    _ heading: String, _ kind: Document.Place.Kind, id: String? = nil, _ blocks: [Self?]
  ) -> Self {
    .section(heading, blocks.compactMap { $0 }, Document.Place(kind: kind, id: id))
  }

  /// The block without what only a page can show.
  var asText: Self {
    switch self {
    case .contents(let links): .list(links.map(\.text))
    case .links(let lead, let links): .paragraph(lead + links.map(\.text).joined(separator: ", "))
    case .drawing(let drawing): .paragraph(drawing.description)
    default: self
    }
  }
}

extension [Document.Block] {
  /// The blocks with their question and conclusion in front.
  var answerFirst: [Document.Block] {
    func isAnswer(_ block: Document.Block) -> Bool {
      guard case .paragraph(_, let emphasis) = block else { return false }
      return emphasis == .question || emphasis == .answer
    }
    return filter(isAnswer) + filter { !isAnswer($0) }
  }
}
