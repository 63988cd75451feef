import Judging

extension DocumentFormat {
  package static let markdown = DocumentFormat(name: "markdown") { document, _ in
    MarkdownRenderer().render(document)
  }
}

/// Markdown as GitHub reads it.
///
/// A step summary holds 1 MiB, so rows with an importance and items of a list are limited.
package struct MarkdownRenderer {
  /// The heading level of the title or, without a title, of sections.
  private let level: Int

  package init(level: Int = 3) { self.level = level }

  static let mostRows = 100
  private static let mostItems = 50

  package func render(_ document: Document) -> String {
    let title = document.title.map { [heading($0, level)] } ?? []
    let blocks = document.limited(to: Self.mostRows).blocks
    return (title + texts(blocks, level + title.count)).joined(separator: "\n\n") + "\n"
  }

  private func texts(_ blocks: [Document.Block], _ level: Int) -> [String] {
    blocks.answerFirst.flatMap { texts($0, level) }
  }

  private func texts(_ block: Document.Block, _ level: Int) -> [String] {
    if case .links(let lead, let links) = block {
      let links = links.map { "[\(Markdown.escaped($0.text))](\(Markdown.target($0.target)))" }
      return [Markdown.escaped(lead) + links.joined(separator: ", ")]
    }
    return switch block.asText {
    case .section(let title, let blocks, _): [heading(title, level)] + texts(blocks, level + 1)
    case .paragraph(let text, let emphasis): [paragraph(Markdown.escaped(text), emphasis)]
    case .lines(let lines): [lines.map(Markdown.escaped).joined(separator: "<br>\n")]
    case .list(let items): items.isEmpty ? [] : [list(items)]
    case .terms(let terms):
      [
        terms.map { "- **\(Markdown.escaped($0.name)):** \(Markdown.escaped($0.text))" }
          .joined(separator: "\n")
      ]
    case .table(let table): table.rows.isEmpty ? [] : [self.table(table)]
    case .csv, .links: []
    }
  }

  private func heading(_ text: String, _ level: Int) -> String {
    "\(String(repeating: "#", count: level)) \(Markdown.escaped(text))"
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> String {
    switch emphasis {
    case .plain, .note, .reason: text
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
    let isGrouped = table.isGrouped
    let headings = (isGrouped ? [table.groupHeading] : []) + table.columns.map(\.name)
    let rule = (isGrouped ? [":---"] : []) + table.columns.map { $0.isRight ? "---:" : ":---" }
    let rows = table.groups.flatMap { name, rows in
      rows.map { (isGrouped ? [Markdown.escaped(name ?? "")] : []) + table.cells(of: $0).map(cell) }
    }
    return ([headings.map(Markdown.escaped), rule] + rows)
      .map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  private func cell(_ shown: Table.ShownCell) -> String {
    let text = shown.cell.text
    if shown.column.kind == .code { return Markdown.code(text) }
    let escaped = Markdown.escaped(text)
    return shown.isStrong && !text.isEmpty ? "**\(escaped)**" : escaped
  }
}

extension Document {
  /// Limits the rows that have an importance to the `most` most important ones. A sentence counts
  /// the omitted rows. Sections that lose all rows disappear.
  func limited(to most: Int) -> Document {
    let all = blocks.flatMap(\.tables).flatMap(\.rows).compactMap(\.importance)
    guard all.count > most else { return self }
    let order = all.indices.sorted { (all[$0].grade, $0) < (all[$1].grade, $1) }
    var limit = RowLimit(kept: Set(order.prefix(most)))
    var limited = blocks.compactMap { limit.block($0) }
    let end = limited.lastIndex { !$0.tables.isEmpty }.map { $0 + 1 } ?? 0
    limited.insert(.paragraph(Self.notShown(order.dropFirst(most).map { all[$0] })), at: end)
    return Document(title: title, blocks: limited)
  }

  /// `Not shown: 12 more rows (3 fail, 9 pass); --format json has all.`
  private static func notShown(_ left: [Table.Importance]) -> String {
    let counts = left.grouped(by: \.word)
      .map { "\(Figures.whole($0.elements.count)) \($0.key)" }
    return "Not shown: \(Figures.counted(left.count, "more row")) "
      + "(\(counts.joined(separator: ", "))); --format json has all."
  }
}

private struct RowLimit {
  let kept: Set<Int>
  var index = 0

  mutating func block(_ block: Document.Block) -> Document.Block? {
    switch block {
    case .table(var table):
      let isEmpty = table.rows.isEmpty
      table.rows = table.rows.filter { isKept($0) }
      return isEmpty || !table.rows.isEmpty ? .table(table) : nil
    case .section(let heading, let blocks, let place):
      let limited = blocks.compactMap { self.block($0) }
      return limited.isEmpty && !blocks.isEmpty ? nil : .section(heading, limited, place)
    default: return block
    }
  }

  private mutating func isKept(_ row: Table.Row) -> Bool {
    guard row.importance != nil else { return true }
    defer { index += 1 }
    return kept.contains(index)
  }
}

extension Document.Block {
  fileprivate var tables: [Table] {
    switch self {
    case .table(let table): [table]
    case .section(_, let blocks, _): blocks.flatMap(\.tables)
    default: []
    }
  }
}

/// Escapes text, so that Markdown shows it unchanged: no markup, HTML, link or mention.
enum Markdown {
  static func escaped(_ text: String) -> String {
    withoutLinks(
      text.replacingScalars { scalar in
        if let entity = entities[scalar] { return entity }
        if scalar.isSpacing { return " " }
        if scalar.isInvisible { return "\\" + scalar.escaped }
        return markup.contains(scalar) ? "\\\(scalar)" : nil
      })
  }

  /// A name as code, unless one of its characters could end the code.
  static func code(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z0-9._\/+-]+/) == nil ? escaped(name) : "`\(name)`"
  }

  /// A link's target, percent-encoded but for the characters of plain paths.
  static func target(_ path: String) -> String {
    path.utf8.map { byte in
      let scalar = UnicodeScalar(byte)
      if plainPath.contains(scalar) { return String(scalar) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined().replacing("www.", with: "www%2E")
  }

  private static let plainPath = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-/".unicodeScalars)

  private static let entities: [Unicode.Scalar: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", "\"": "&quot;",
  ]

  private static let markup = Set("\\`*_{}[]#|~!$^".unicodeScalars)

  /// Renderers turn anything like an address into a link, and a CI's log executes `::`. Scalars
  /// decide: a slash or a colon before a combining mark is no `Character`.
  private static func withoutLinks(_ text: String) -> String {
    let codes = [("://", "&#58;//"), ("www.", "www&#46;"), ("::", "&#58;&#58;")]
    return codes.reduce(text) { text, code in
      String(text.unicodeScalars.replacing(code.0.unicodeScalars, with: code.1.unicodeScalars))
    }
  }
}
