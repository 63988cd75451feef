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
    case section(String, [Block])
    case paragraph(String, Emphasis = .plain)
    /// Short lines, one below the other.
    case lines([String])
    /// What went wrong, or limits the answer.
    case list([String])
    case terms([Term])
    case table(Table)
  }

  enum Emphasis: Sendable {
    case plain
    /// A conclusion. A terminal shows it in its place; formats that are read from the top, first.
    case answer
    /// The meaning of a table's columns.
    case legend
    /// A limit of the whole document.
    case aside
  }

  struct Term: Sendable {
    let name: String
    let text: String
  }
}
