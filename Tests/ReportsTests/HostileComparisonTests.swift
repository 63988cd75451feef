import Support
import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

private let hostileTexts = [
  "<script>alert(1)</script>", "a|b\n| c", "\u{1B}[2J\u{07}", "\u{202E}desrever",
  "*x* `y` [l](u)",
  "=cmd|' /C calc'!A0", "@someone", String(repeating: "long ", count: 5000), "\r\nschema", "\0",
]

@Suite("Hostile text in comparisons")
struct HostileComparisonTests {
  private func comparison(spoiltBy text: String) -> Comparison {
    let (baseline, candidate) = SampleComparisons.sides()
    func spoilt(_ cells: [CellResult]) -> [CellResult] {
      cells.map { cell in
        var cell = cell
        cell.label = text
        cell.gitSHA = text
        cell.parameters = text
        cell.error = cell.error.isEmpty ? "" : text
        cell.topology += text
        cell.scenario += text
        return cell
      }
    }
    return SampleComparisons.comparison(
      spoilt(baseline), spoilt(candidate), files: (text + ".csv", "new.csv"))
  }

  @Test(arguments: hostileTexts)
  func `hostile text is shown as text on a terminal`(text hostile: String) {
    let shown = ComparisonReportTests.text(comparison(spoiltBy: hostile), width: 100)
    let controls = shown.unicodeScalars.filter { $0 != "\n" && $0.isInvisible }
    #expect(controls.isEmpty)
    #expect(shown.utf8.count < 12_000)
  }

  @Test(arguments: hostileTexts)
  func `hostile text is shown as text in Markdown`(text hostile: String) {
    let text = ComparisonReportTests.markdown(comparison(spoiltBy: hostile))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count == 10)
    #expect(Set(rows.map { $0.split(separator: " | ").count }) == [9])
    #expect(!text.contains("<script>") && !text.contains("@someone") && !text.contains("[l](u)"))
    #expect(text.utf8.count < 20_000)
  }

  @Test(arguments: hostileTexts)
  func `hostile text comes back identical from JSON and CSV`(text hostile: String) throws {
    let comparison = self.comparison(spoiltBy: hostile)
    let json = try ComparisonReport.json(comparison)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let section = try #require((document["sections"] as? [[String: Any]])?.first)
    #expect(section["scenario"] as? String == "5000-cities" + hostile)
    let quoted = CSVWriter.field(comparison.topologies[0].name)
    #expect(ComparisonReport.csv(comparison).contains(",\(quoted),main_blocked_ms,"))
    #expect(!ComparisonReport.csv(comparison).contains(",=cmd"))
  }
}
