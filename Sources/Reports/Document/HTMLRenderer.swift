import Judging

extension DocumentFormat {
  package static let html = DocumentFormat(name: "html") { document, _ in
    let title = document.title ?? "topobench"
    return HTMLRenderer.page(
      title: title,
      body: tag("main") {
        tag("h1") { title }
        HTMLRenderer().elements(document.blocks)
      })
  }
}

/// A page that loads and executes nothing, so that mails, wikis and CI artifacts can show it.
struct HTMLRenderer {
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
    case .section(let heading, let blocks, let place): section(heading, blocks, place, level)
    case .paragraph(let text, let emphasis):
      tag(
        "p", ["class": Self.classes[emphasis], "role": emphasis == .aside ? "note" : nil]
      ) { text }
    case .lines(let lines): tag("div", ["class": "note"]) { lines.map { element("p", $0) } }
    case .list(let items):
      items.isEmpty ? .nothing : tag("ul") { items.map { element("li", $0) } }
    case .terms(let terms):
      tag("dl") { terms.flatMap { [element("dt", $0.name), element("dd", $0.text)] } }
    case .table(let table): table.rows.isEmpty ? .nothing : HTMLTable(table: table).html
    case .csv(let caption, let lines, let id): csv(caption, lines, id)
    case .links(let lead, let links):
      tag("p", ["class": "note"]) {
        lead
        HTML.joined(links.map(Self.link), by: HTML(", "))
      }
    }
  }

  private static let classes: [Document.Emphasis: String] = [
    .question: "question", .answer: "answer", .legend: "caption", .note: "note", .aside: "not",
  ]

  static func link(_ link: Document.Link) -> HTML {
    tag("a", ["href": "#\(link.target)"]) { link.text }
  }

  private func element(_ name: StaticString, _ text: String) -> HTML {
    .element(name, [:], HTML(text))
  }

  private func csv(_ caption: String, _ lines: [String], _ id: String?) -> HTML {
    .joined([
      tag("p", ["class": "caption"]) { caption },
      tag("pre", ["id": id, "tabindex": "0", "role": "group", "aria-label": caption]) {
        HTML.joined(lines.map { HTML($0) }, by: .lineBreak)
      },
    ])
  }

  private func article(
    _ place: Document.Place, _ label: String?, @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    tag(
      "article",
      [
        "id": place.id, "aria-labelledby": label, "data-scenario": place.cells?.scenario,
        "data-parameters": place.cells?.parameters, "data-store": place.cells?.store,
      ], content)
  }

  private func section(
    _ heading: String, _ blocks: [Document.Block], _ place: Document.Place, _ level: Int
  ) -> HTML {
    let names: [StaticString] = ["h1", "h2", "h3", "h4"]
    let name = names[min(level, names.count) - 1]
    switch place.kind {
    case .folded:
      return tag("details", ["id": place.id]) {
        element("summary", heading)
        elements(blocks, level: level)
      }
    case .part:
      let label = place.id.map { "\($0)-h" }
      return article(place, label) {
        tag(name, ["id": label]) { heading }
        elements(blocks, level: level + 1)
      }
    case .plain, .figure, .prose:
      let style = place.kind == .plain ? nil : "\(place.kind)"
      return tag("section", ["id": place.id, "class": style]) {
        element(name, heading)
        elements(blocks, level: level + 1)
      }
    }
  }
}
