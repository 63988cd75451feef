/// The frame of a page of reports: its beginning, its parts and its source.
struct HTMLPage {
  let kicker: String
  /// Of the page, and of the browser's tab.
  let heading: String
  /// How far to trust it.
  var trust = HTML.nothing
  var contents: [Document.Link] = []
  let parts: [Document.Block]
  var source = "Made by topobench report."

  var html: String {
    let body = HTML.joined([
      tag("a", ["class": "skip", "href": "#main"]) { "Skip to the answers" },
      PageStyle.hatches,
      tag("header") {
        tag("p", ["class": "kicker"]) { kicker }
        tag("h1") { heading }
        trust
      },
      contents.isEmpty ? .nothing : navigation,
      tag("main", ["id": "main"]) { HTMLRenderer().elements(parts) },
      tag("footer") { tag("p") { "\(source) This page fetches nothing and runs no script." } },
    ])
    return HTMLRenderer.page(title: "\(PageText.title(heading)) — topobench", body: body)
  }

  private var navigation: HTML {
    tag("nav", ["aria-label": "On this page"]) {
      tag("ul") {
        for link in contents {
          tag("li") {
            HTMLRenderer.link(link)
            if let detail = link.detail { tag("span") { detail } }
          }
        }
      }
    }
  }
}
