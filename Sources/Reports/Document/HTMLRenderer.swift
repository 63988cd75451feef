import Judging

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
        links.enumerated().map { .joined([HTML($0 > 0 ? ", " : ""), link($1)]) }
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
