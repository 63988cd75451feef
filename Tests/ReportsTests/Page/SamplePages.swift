import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Pages of small reports, read back with a parser of XML.
enum SamplePages {
  static func side(
    _ cells: [CellResult], windows: Bool = true, environment: String? = nil
  ) -> PageSide {
    var side = PageSide(
      files: [(name: "run.csv", environment: environment.map { Data($0.utf8) })],
      cells: cells, questions: ["5000-cities": "How long?"])
    if windows {
      for cell in side.shownCells { side.timelines[CellKey(cell)] = .known(window()) }
    }
    return side
  }

  static var four: PageSide { side(SampleSummaries.four().cells.map(withTaps)) }

  static func withTaps(_ cell: CellResult) -> CellResult {
    var cell = cell
    cell.horizon = 1000
    guard let blocked = cell.metrics["main_blocked_ms"] else { return cell }
    cell.metrics["tap_max_ms"] = blocked / 4
    cell.metrics["tap_p99_ms"] = blocked / 6
    cell.metrics["frames_due"] = 10
    cell.metrics["main_statements"] = 40
    cell.metrics["main_wait_parent_ms"] = cell.metrics["main_waiting_ms"]
    return cell
  }

  //   0    10        30    40   45       60 ms
  //        └─ merge ──┘    └wait┘
  static func window() -> WindowSample {
    var window = WindowSample(total: 60, changes: 10)
    (window.durable, window.visible) = (50, 60)
    window.gaps = [
      GapSample(start: 10, duration: 20, cause: "merge"),
      GapSample(start: 40, duration: 5, cause: "wait-parent"),
    ]
    (window.executing, window.waits) = (20, ["parent": 5])
    return window
  }

  static func sweep() -> PageSide {
    let cells = [("50", 40.0, 20.0), ("500", 20, 40)].flatMap { value, one, other in
      [("main-only", one), ("parent-child", other)].flatMap { name, blocked in
        SampleSummaries.cells(name, blocked).with {
          $0.parameters = "{\"changes.per_save\":\(value)}"
        }
      }
    }
    return side(cells)
  }
}

final class ParsedPage: NSObject, XMLParserDelegate {
  final class Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var own = ""

    init(_ name: String, _ attributes: [String: String]) {
      self.name = name
      self.attributes = attributes
    }

    var text: String { own + children.map(\.text).joined() }
    var all: [Element] { [self] + children.flatMap(\.all) }

    func all(_ name: String) -> [Element] { all.filter { $0.name == name } }
    func named(_ id: String) -> Element? { all.first { $0.attributes["id"] == id } }

    var numbers: [Double] { all("data").compactMap { $0.attributes["value"].flatMap(Double.init) } }
  }

  private var open: [Element] = []
  private(set) var root: Element?

  /// Nil, with an issue recorded, if it is not well formed.
  static func of(
    _ html: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Element {
    let page = ParsedPage()
    let parser = XMLParser(data: Data(html.utf8))
    parser.delegate = page
    let isWellFormed = parser.parse()
    let problem = parser.parserError.map { "\($0) in line \(parser.lineNumber)" } ?? ""
    #expect(isWellFormed, "\(problem)", sourceLocation: sourceLocation)
    return try #require(page.root, sourceLocation: sourceLocation)
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = Element(name, attributes)
    open.last?.children.append(element)
    if root == nil { root = element }
    open.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.own += text }
}
