import Judging
import Support

extension DocumentFormat {
  package static let html = DocumentFormat(name: "html") { document, _ in
    HTMLRenderer().render(document)
  }
}

/// A page that loads and executes nothing, so that mails, wikis and CI artifacts can show it.
struct HTMLRenderer {
  func render(_ document: Document) -> String {
    let title = document.title ?? "topobench"
    return Self.page(
      title: title,
      body: tag("main") {
        tag("h1") { title }
        elements(document.blocks)
      })
  }

  static func page(title: String, body: HTML) -> String {
    let policy = "default-src 'none'; style-src 'unsafe-inline'"
    let head = HTML.joined([
      .void("meta", ["charset": "utf-8"]),
      .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .void("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
      .void("meta", ["name": "color-scheme", "content": "light dark"]),
      tag("title") { title },
      .style(PageStyle.rules),
    ])
    return HTML.document(head: head, body: body)
  }

  /// - Parameter level: of the sections' headings.
  func elements(_ blocks: [Document.Block], level: Int = 2) -> [HTML] {
    blocks.answerFirst.map { element($0, level) }
  }

  private func element(_ block: Document.Block, _ level: Int) -> HTML {
    switch block {
    case .section(let heading, let blocks, let place):
      section(heading, elements(blocks, level: level + (place.hasHeading ? 1 : 0)), place, level)
    case .paragraph(let text, let emphasis): paragraph(text, emphasis)
    case .lines(let lines): tag("div", ["class": "note"]) { lines.map { paragraph($0, .plain) } }
    case .list(let items):
      items.isEmpty ? .nothing : tag("ul") { items.map { element("li", $0) } }
    case .terms(let terms, let caption): HTMLTable.terms(terms, caption)
    case .table(let table): table.rows.isEmpty ? .nothing : HTMLTable(table: table).html
    case .contents(let links): contents(links)
    case .links(let lead, let links):
      tag("p", ["class": "note"]) {
        lead
        HTML.joined(links.map(link), by: HTML(", "))
      }
    case .drawing(let drawing): drawing.html
    }
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> HTML {
    tag(
      "p",
      ["class": Self.classes[emphasis], "role": emphasis == .aside ? "note" : nil]
    ) { text }
  }

  private static let classes: [Document.Emphasis: String] = [
    .question: "question", .answer: "answer", .legend: "caption", .note: "note", .aside: "not",
  ]

  private func contents(_ links: [Document.Link]) -> HTML {
    tag("ol") {
      for item in links {
        tag("li") {
          link(item)
          item.detail.map { element("span", $0) } ?? .nothing
        }
      }
    }
  }

  private func link(_ link: Document.Link) -> HTML {
    tag("a", ["href": "#\(link.target)"]) { link.text }
  }

  private func element(_ name: StaticString, _ text: String) -> HTML {
    .element(name, [:], HTML(text))
  }

  // MARK: Sections

  private static let headings: [StaticString] = ["h1", "h2", "h3", "h4"]

  private func section(
    _ heading: String, _ content: [HTML], _ place: Document.Place, _ level: Int
  ) -> HTML {
    let name = Self.headings[min(level, Self.headings.count) - 1]
    switch place.kind {
    case .folded:
      return tag("details") {
        element("summary", heading)
        content
      }
    case .behindFigure: return tag("div", ["class": "behind"]) { content }
    case .multiples: return tag("div", ["class": "multiples"]) { content }
    case .part, .contents:
      let label = place.id.map { "\($0)-h" }
      return tag(
        place.kind == .part ? "article" : "nav",
        [
          "id": place.id, "aria-labelledby": label, "data-scenario": place.cells?.scenario,
          "data-parameters": place.cells?.parameters, "data-store": place.cells?.store,
        ]
      ) {
        tag(name, ["id": label]) { heading }
        content
      }
    case .plain, .figure, .doubts, .rows, .environment:
      return tag("section", ["id": place.id, "class": style(place.kind)]) {
        element(name, heading)
        content
      }
    }
  }

  private func style(_ kind: Document.Place.Kind) -> String? {
    kind == .plain ? nil : "\(kind)"
  }
}

/// Scrolls by itself if it is wider than the page.
struct HTMLTable {
  let table: Table

  var html: HTML { table.isCompact ? lines : scrolling }

  static func terms(_ terms: [Document.Term], _ caption: String) -> HTML {
    tag("table", ["class": "facts"]) {
      if !caption.isEmpty { tag("caption") { caption } }
      tag("tbody") {
        for term in terms {
          tag("tr") {
            tag("th", ["scope": "row"]) { term.name }
            tag("td", ["class": "words"]) { term.text }
          }
        }
      }
    }
  }

  private var captionID: String? { table.id.map { "\($0)-caption" } }

  private var scrolling: HTML {
    tag(
      "div",
      [
        "class": "scroll", "tabindex": "0", "role": "group",
        "aria-label": captionID == nil ? "Table" : nil, "aria-labelledby": captionID,
      ]
    ) {
      tag("table", ["id": table.id]) {
        if !table.caption.isEmpty {
          tag("caption", ["id": captionID]) { tag("span") { table.caption } }
        }
        tag("thead") { tag("tr") { table.columns.map(heading) } }
        bodies
      }
    }
  }

  private func heading(_ column: Table.Column) -> HTML {
    tag("th", ["scope": "col", "class": style(column)]) { column.name }
  }

  private func style(_ column: Table.Column) -> String? { column.isRight ? nil : "words" }

  private var bodies: [HTML] {
    table.rows.grouped(by: \.group).map { name, rows in
      tag("tbody") {
        name.map(heading(ofGroup:)) ?? .nothing
        rows.map(html)
      }
    }
  }

  private func heading(ofGroup name: String) -> HTML {
    let columns = "\(table.columns.count)"
    return tag("tr") {
      tag("th", ["scope": "rowgroup", "class": "group words", "colspan": columns]) {
        HTML.name(name)
      }
    }
  }

  private func html(_ row: Table.Row) -> HTML {
    let missing = table.columns.count - row.cells.count
    let last = row.cells.indices.last
    return tag("tr") {
      for (index, cell) in row.cells.enumerated() {
        if missing > 0, index == last {
          tag("td", ["colspan": "\(missing + 1)", "class": "words"]) { html(cell) }
        } else {
          html(cell, table.columns[index], row.isEmphasised)
        }
      }
    }
  }

  private func html(_ cell: Table.Cell, _ column: Table.Column, _ isEmphasised: Bool) -> HTML {
    switch column.kind {
    case .number, .figure: tag("td") { html(cell) }
    case .heading: tag("th", ["scope": "row"]) { HTML.name(cell.text) }
    case .label where isEmphasised:
      tag("td", ["class": "words"]) { tag("strong") { tag("bdi") { html(cell) } } }
    case .code: tag("td", ["class": "words"]) { tag("code") { tag("bdi") { html(cell) } } }
    default: tag("td", ["class": "words"]) { tag("bdi") { html(cell) } }
    }
  }

  private func html(_ cell: Table.Cell) -> [HTML] {
    cell.pieces.map { piece in
      guard let exact = piece.exact else { return HTML(piece.text) }
      return tag("data", ["value": PageText.exact(exact)]) { piece.text }
    }
  }

  private var lines: HTML {
    let lines = [table.columns.map(\.name)] + table.rows.map { $0.cells.map(\.text) }
    return .joined([
      tag("p", ["id": captionID]) { table.caption },
      tag(
        "pre",
        [
          "id": table.id, "class": "scroll", "tabindex": "0", "role": "group",
          "aria-labelledby": captionID,
        ]
      ) {
        HTML.joined(
          lines.map { HTML($0.map(CSVWriter.field).joined(separator: ",")) }, by: .lineBreak)
      },
    ])
  }
}
