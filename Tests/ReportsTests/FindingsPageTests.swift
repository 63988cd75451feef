import Judging
import Measurement
import Testing

@testable import Reports

struct FindingsPageTests {
  private static let advice = [
    Advice(
      "Import in a child.", scenario: "5000-cities", recommends: "parent-child",
      over: "notification-merge"),
    Advice("Fetch again.", scenario: "gone", recommends: "refetch", over: "notification-merge"),
  ]

  private static func page(_ cells: [CellResult]) -> String {
    FindingsPage(
      [
        FindingsReport(
          file: "5000-cities.csv", cells: cells, questions: ["5000-cities": "How long?"],
          machine: "a machine, 2 cores")
      ], advice: advice
    ).markdown
  }

  @Test func `a page has the question, the figures, the conclusion and the advice`() {
    let page = Self.page(SampleSummaries.four().cells)
    for text in [
      "# Findings", "33 cells, 32 ok", "Measured on: a machine, 2 cores.", "\n## 5000-cities\n",
      "\nHow long?\n", "From 5000-cities.csv.",
      "| 1 | notification-merge | 12.4 |",
      "notification-merge kept the main queue blocked for the shortest time, 12.4 ms",
      "- main-only: 1 cell crashed, the first: ended by signal 11",
      "1 piece of advice was tried; 1 is contradicted here.",
      "| Import in a child. | 5000-cities | parent-child 45.3 ms, notification-merge 12.4 ms | contradicted |",
      "| Fetch again. | gone | – | not measured |",
    ] {
      #expect(page.contains(text), "\(text)\n\(page)")
    }
  }

  @Test func `a swept scenario has a table for each field`() {
    let cells = [0, 9].flatMap { value in
      SampleSummaries.cells("a", 10 + Double(value)).map { cell in
        var cell = cell
        cell.parameters = #"{"drawing.delta_us":\#(value)}"#
        cell.metrics["main_ui_ms"] = Double(value)
        return cell
      }
    }
    let page = Self.page(cells)
    #expect(page.contains("### 5000-cities, pool store, over drawing.delta\\_us"), "\(page)")
    #expect(page.contains("| a | 10.1 (–) | 28.1 (–) |"), "\(page)")
  }

  @Test func `every common advice names a sentence of its own`() {
    let sentences = CommonAdvice.all.map(\.says)
    #expect(Set(sentences).count == sentences.count)
    #expect(sentences.allSatisfy { $0.hasSuffix(".") })
  }
}
