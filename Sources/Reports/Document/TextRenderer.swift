extension DocumentFormat {
  package static let table = DocumentFormat(name: "table") { document, style in
    TextRenderer(style: style).render(document)
  }
}

struct TextRenderer {
  let style: TextStyle

  func render(_ document: Document) -> String {
    lines(document.blocks).joined(separator: "\n") + "\n"
  }

  private func lines(_ blocks: [Document.Block]) -> [String] {
    Array(blocks.map(lines).filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private func lines(_ block: Document.Block) -> [String] {
    switch block.asText {
    case .section(let heading, let blocks, _): section(heading, blocks)
    case .paragraph(let text, let emphasis): paragraph(text, emphasis)
    case .lines(let texts): texts.flatMap { wrapped($0) }
    case .list(let items):
      items.flatMap { wrapped("- \($0)", indent: "  ") }.map { style.emphasised($0, .warning) }
    case .terms(let terms, _): self.terms(terms)
    case .table(let table): TextTable(table, style: style).lines
    case .contents, .links, .drawing: []
    }
  }

  /// Text follows its heading at once, a table after a blank line.
  private func section(_ heading: String, _ blocks: [Document.Block]) -> [String] {
    let title = wrapped(heading).map { style.emphasised($0, .bold) }
    if case .table? = blocks.first { return title + [""] + lines(blocks) }
    return title + lines(blocks)
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> [String] {
    let lines = wrapped(text)
    switch emphasis {
    case .plain, .question, .note, .aside: return lines
    case .answer: return lines.map { style.emphasised($0, .bold) }
    case .legend: return lines.map { style.emphasised($0, .dim) }
    }
  }

  private func terms(_ terms: [Document.Term]) -> [String] {
    let names = terms.map { style.printable($0.name) }
    let width = names.map(\.columns).max() ?? 0
    return zip(names, terms).flatMap { name, term in
      let margin = "  " + name.padded(to: width, onLeft: false) + "  "
      let blank = String(repeating: " ", count: margin.columns)
      return wrapped(term.text, indent: blank).enumerated().map { index, line in
        index == 0 ? margin + line : line
      }
    }
  }

  /// Longer lines are hard to read.
  private static let widestLine = 100

  /// - Parameter indent: of all lines but the first.
  private func wrapped(_ text: String, indent: String = "") -> [String] {
    let width = max(20, min(style.width ?? Self.widestLine, Self.widestLine) - indent.columns)
    return style.printable(text).wrapped(to: width).enumerated().map { index, line in
      index == 0 ? line : indent + line
    }
  }
}
