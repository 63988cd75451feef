import Judging

extension DocumentFormat {
  package static let asciidoc = DocumentFormat(name: "asciidoc") { document, _ in
    AsciiDocRenderer().render(document)
  }
}

/// AsciiDoc as Asciidoctor and AsciiDoc.py read it, for documentation beside the code.
struct AsciiDocRenderer {
  func render(_ document: Document) -> String {
    let title = document.title.map { [heading($0, 0)] } ?? []
    return (title + texts(document.blocks, 1)).joined(separator: "\n\n") + "\n"
  }

  private func texts(_ blocks: [Document.Block], _ level: Int) -> [String] {
    blocks.answerFirst.flatMap { texts($0, level) }
  }

  private func texts(_ block: Document.Block, _ level: Int) -> [String] {
    switch block.asText {
    case .section(let title, let blocks, _): [heading(title, level)] + texts(blocks, level + 1)
    case .paragraph(let text, let emphasis): [paragraph(AsciiDoc.escaped(text), emphasis)]
    case .lines(let lines): [lines.map(AsciiDoc.line).joined(separator: " +\n")]
    case .list(let items):
      items.isEmpty ? [] : [items.map { "* \(AsciiDoc.escaped($0))" }.joined(separator: "\n")]
    case .terms(let terms, _):
      [
        terms.map { "\(AsciiDoc.line($0.name)):: \(AsciiDoc.escaped($0.text))" }
          .joined(separator: "\n")
      ]
    case .table(let table): table.rows.isEmpty ? [] : [self.table(table)]
    case .contents, .links, .drawing: []
    }
  }

  private func heading(_ text: String, _ level: Int) -> String {
    // `======` is the deepest.
    "\(String(repeating: "=", count: min(level, 5) + 1)) \(AsciiDoc.escaped(text))"
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> String {
    switch emphasis {
    case .plain, .note: AsciiDoc.atStart(text)
    case .answer: "**\(text)**"
    case .legend: "[role=\"small\"]\n\(AsciiDoc.atStart(text))"
    case .question, .aside: "__\(text)__"
    }
  }

  private func table(_ table: Table) -> String {
    let isGrouped = table.rows.contains { $0.group != nil }
    let headings = (isGrouped ? [table.groupHeading] : []) + table.columns.map(\.name)
    let alignment = (isGrouped ? ["<"] : []) + table.columns.map { $0.isRight ? ">" : "<" }
    let rows = table.rows.map { row in
      let group = isGrouped ? [AsciiDoc.escaped(row.group ?? "")] : []
      let cells = zip(table.columns, row.cells).map { cell($0, $1.text, row.isEmphasised) }
      // Without its last cells, a row would take those of the next.
      return group + cells + Array(repeating: "", count: table.columns.count - cells.count)
    }
    return
      (["[options=\"header\",cols=\"\(alignment.joined(separator: ","))\"]", "|==="]
      + ([headings.map(AsciiDoc.escaped)] + rows).map { "| \($0.joined(separator: " | "))" }
      + ["|==="]).joined(separator: "\n")
  }

  private func cell(_ column: Table.Column, _ text: String, _ isEmphasised: Bool) -> String {
    switch column.kind {
    case .label where isEmphasised && !text.isEmpty: "**\(AsciiDoc.escaped(text))**"
    case .code: AsciiDoc.code(text)
    default: AsciiDoc.escaped(text)
    }
  }
}

/// Escapes text, so that AsciiDoc shows it unchanged: no markup, macro, attribute, link or symbol.
enum AsciiDoc {
  /// Within a line.
  static func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      if scalar.isSpacing {
        result += " "
      } else if scalar.isInvisible {
        result += escaped(scalar.escaped)
      } else if isMarkup(scalar, before, after) {
        result += "&#\(scalar.value);"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isMarkup(
    _ scalar: Unicode.Scalar, _ before: Unicode.Scalar, _ after: Unicode.Scalar
  ) -> Bool {
    switch scalar {
    // The sign of a number closes no `+literal+`.
    case "+": before != " " || !("0"..."9").contains(after)
    // Inside a word it is no markup, as in `main_blocked_ms`.
    case "_": !isWord(before) || !isWord(after)
    // `(C)`, `(R)`, `(TM)`, `((an index entry))`
    case "(": "CRT(".unicodeScalars.contains(after)
    // `term::`, `https://`, an ellipsis, a dash
    case ":", ";", "/", ".", "-", "=": scalar == before
    default: markup.contains(scalar)
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  private static let markup = Set("*`#^~[]{}<>&|\\\"@$'".unicodeScalars)

  /// At the start of a line, where lists, notes and other blocks begin.
  static func line(_ text: String) -> String { atStart(escaped(text)) }

  static func atStart(_ escaped: String) -> String {
    let isWord = escaped.prefixMatch(of: /[A-Za-z0-9]/) != nil
    let isBlock = escaped.prefixMatch(of: #/[A-Za-z0-9]+[.)] |[A-Z]+: /#) != nil
    return isWord && !isBlock ? escaped : "{empty}\(escaped)"
  }

  /// A name as code, unless one of its characters could end that.
  static func code(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*/) == nil ? escaped(name) : "`\(name)`"
  }
}
