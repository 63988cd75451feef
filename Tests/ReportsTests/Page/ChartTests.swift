import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct ChartTests {
  private static let table = Table(
    [1.5, 20],
    [
      .leading("topology", .heading) { $0 < 10 ? "a" : "b" },
      .marks("blocked, ms", .linear(to: 20), text: { "median \($0)" }, { [.median($0)] }),
      .number("median") { $0 },
    ], caption: "A stroke is a median.")

  private func text(_ format: DocumentFormat) -> String {
    format.render(
      Document(blocks: [.table(Self.table)]),
      TextStyle())
  }

  @Test func `formats that cannot draw show the figures of a chart`() {
    #expect(
      text(.markdown) == """
        | topology | median |
        | :--- | ---: |
        | a | 1.50 |
        | b | 20.0 |

        """)
    #expect(!text(.table).contains("blocked") && text(.table).contains("20.0"))
  }

  @Test func `a page draws a mark at its place, and describes it`() throws {
    let page = try ParsedPage.of(text(.html))
    let drawings = page.all("svg").filter { $0.attributes["role"] == "img" }
    #expect(drawings.map { $0.attributes["aria-label"] } == ["median 1.5", "median 20.0"])
    let medians = page.all("line").filter { $0.attributes["class"] == "median" }
    #expect(medians.map { $0.attributes["x1"] } == ["7.5%", "100%"])
    #expect(page.all("data").map { $0.attributes["value"] } == ["1.5", "20"])
  }

  @Test func `dots that would overlap lie above each other`() {
    let marks = Mark.trials([(1, 10), (2, 10), (3, 15)], of: .mainBlocked, on: .linear(to: 20))
    let places = marks.compactMap { mark in
      if case .dot(_, _, let down, _) = mark { down } else { nil }
    }
    #expect(places == [50, 28, 50])
  }

  @Test func `of many trials, those at evenly spaced ranks are drawn`() {
    let trials = (1...10).map { (trial: $0, value: Double($0)) }
    let drawn = Mark.trials(trials.shuffled(), of: .mainBlocked, on: .linear(to: 20), most: 4)
    let values = drawn.compactMap { mark in
      if case .dot(let value, _, _, _) = mark { value } else { nil }
    }
    #expect(values == [1, 4, 7, 10])
  }
}
