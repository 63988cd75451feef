extension DocumentFormat {
  package static let markdown = DocumentFormat(name: "markdown") { document, _ in
    MarkdownRenderer().render(document)
  }
}

/// Markdown as GitHub reads it.
///
/// A step summary holds 1 MiB, so rows with an importance and items of a list are limited.
struct MarkdownRenderer {
  /// Of the title, or of sections without one.
  var level = 3

  static let mostRows = 100
  private static let mostItems = 50

  func render(_ document: Document) -> String {
    let title = document.title.map { [heading($0, level)] } ?? []
    let blocks = document.limited(to: Self.mostRows).blocks
    return (title + texts(blocks, level + title.count)).joined(separator: "\n\n") + "\n"
  }

  private func texts(_ blocks: [Document.Block], _ level: Int) -> [String] {
    blocks.answerFirst.flatMap { texts($0, level) }
  }

  private func texts(_ block: Document.Block, _ level: Int) -> [String] {
    switch block.asText {
    case .section(let title, let blocks, _): [heading(title, level)] + texts(blocks, level + 1)
    case .paragraph(let text, let emphasis): [paragraph(Markdown.escaped(text), emphasis)]
    case .lines(let lines): [lines.map(Markdown.escaped).joined(separator: "<br>\n")]
    case .list(let items): items.isEmpty ? [] : [list(items)]
    case .terms(let terms, _):
      [
        terms.map { "- **\(Markdown.escaped($0.name)):** \(Markdown.escaped($0.text))" }
          .joined(separator: "\n")
      ]
    case .table(let table): table.rows.isEmpty ? [] : [self.table(table)]
    case .contents, .links, .drawing: []
    }
  }

  private func heading(_ text: String, _ level: Int) -> String {
    "\(String(repeating: "#", count: level)) \(Markdown.escaped(text))"
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> String {
    switch emphasis {
    case .plain, .note: text
    case .answer: "**\(text)**"
    case .legend: "<sub>\(text)</sub>"
    case .question, .aside: "*\(text)*"
    }
  }

  private func list(_ items: [String]) -> String {
    let left = items.count - Self.mostItems
    let more = left > 0 ? ["… and \(left) more; --format json has all."] : []
    return (items.prefix(Self.mostItems) + more).map { "- \(Markdown.escaped($0))" }
      .joined(separator: "\n")
  }

  private func table(_ table: Table) -> String {
    let isGrouped = table.rows.contains { $0.group != nil }
    let headings = (isGrouped ? [table.groupHeading] : []) + table.columns.map(\.name)
    let rule = (isGrouped ? [":---"] : []) + table.columns.map { $0.isRight ? "---:" : ":---" }
    let rows = table.rows.map { row in
      (isGrouped ? [Markdown.escaped(row.group ?? "")] : [])
        + zip(table.columns, row.cells).map { cell($0, $1.text, row.isEmphasised) }
    }
    return ([headings.map(Markdown.escaped), rule] + rows)
      .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  private func cell(_ column: Table.Column, _ text: String, _ isEmphasised: Bool) -> String {
    switch column.kind {
    case .label where isEmphasised && !text.isEmpty: "**\(Markdown.escaped(text))**"
    case .code: Markdown.code(text)
    default: Markdown.escaped(text)
    }
  }
}
