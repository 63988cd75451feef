extension DocumentFormat {
  package static let html = DocumentFormat("html") { document, _ in
    HTMLRenderer().render(document)
  }
}

/// One page that fetches nothing, for mails, wikis and the artifacts of a CI job.
struct HTMLRenderer {
  func render(_ document: Document) -> String {
    let title = document.title ?? "topobench"
    let head = HTML.joined([
      .void("meta", ["charset": "utf-8"]),
      .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      tag("title") { title }, .style(PageStyle.rules),
    ])
    let body = tag("main") {
      tag("h1") { title }
      elements(document.blocks)
    }
    return HTML.document(head: head, body: body)
  }

  private func elements(_ blocks: [Document.Block]) -> [HTML] {
    blocks.answerFirst.map(element)
  }

  private func element(_ block: Document.Block) -> HTML {
    switch block {
    case .section(let title, let blocks):
      tag("section") {
        tag("h2") { title }
        elements(blocks)
      }
    case .paragraph(let text, let emphasis): paragraph(text, emphasis)
    case .lines(let lines): tag("div", ["class": "made"]) { lines.map { element("p", $0) } }
    case .list(let items):
      items.isEmpty ? .nothing : tag("ul") { items.map { element("li", $0) } }
    case .terms(let terms):
      tag("ul") { terms.map { element("li", "\($0.name): \($0.text)") } }
    case .table(let table): table.rows.isEmpty ? .nothing : self.table(table)
    }
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> HTML {
    switch emphasis {
    case .plain: element("p", text)
    case .answer: tag("p", ["class": "answer"]) { text }
    case .legend: tag("p", ["class": "caption"]) { text }
    case .aside: tag("p", ["class": "not"]) { text }
    }
  }

  private func element(_ name: StaticString, _ text: String) -> HTML {
    .element(name, [:], HTML(text))
  }
}

// MARK: - Tables

extension HTMLRenderer {
  /// A table scrolls by itself where it is wider than the page. A group has a row of its own.
  private func table(_ table: Table) -> HTML {
    tag("div", ["class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Table"]) {
      tag("table") {
        tag("thead") {
          tag("tr") { table.columns.map { heading($0) } }
        }
        tag("tbody") { table.rows.indices.map { rows(at: $0, of: table) } }
      }
    }
  }

  private func heading(_ column: Table.Column) -> HTML {
    tag("th", ["scope": "col", "class": column.isRight ? "" : "words"]) { column.name }
  }

  private func rows(at index: Int, of table: Table) -> HTML {
    let row = table.rows[index]
    let cells = tag("tr") { zip(table.columns, row.cells).map { cell($0, $1, row.isEmphasised) } }
    guard let group = row.group, index == 0 || table.rows[index - 1].group != group else {
      return cells
    }
    let attributes: KeyValuePairs<StaticString, String> = [
      "scope": "rowgroup", "class": "group words", "colspan": "\(table.columns.count)",
    ]
    return .joined([tag("tr") { tag("th", attributes) { HTML.name(group) } }, cells])
  }

  private func cell(_ column: Table.Column, _ text: String, _ isEmphasised: Bool) -> HTML {
    let content = element("bdi", text)
    return tag("td", ["class": column.isRight ? "" : "words"]) {
      column.kind == .label && isEmphasised
        ? HTML.element("strong", [:], content)
        : column.kind == .code ? HTML.element("code", [:], content) : content
    }
  }
}
