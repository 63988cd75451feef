import Judging
import Measurement
import Support
import Testing

@testable import Reports
@testable import topobench_lab

// Every ratio and change must be that of the two numbers beside it, in every format. The trials
// scatter without symmetry, so that estimates within pairs differ from it.

struct ShownRatioTests {
  private static let seed = UInt64.random(in: 1..<1_000_000)
  private static let style = TextStyle()

  private static func moods(_ random: inout SplitMix64) -> [Double] {
    (0..<8).map { _ in 0.5 * Double(1 << random.next(below: 3)) * (1 + unit(&random)) }
  }

  private static func unit(_ random: inout SplitMix64) -> Double {
    Double(random.next(below: 1000)) / 1000
  }

  private static func comparison(
    _ random: inout SplitMix64
  ) -> (comparison: Comparison, page: String) {
    let names = ["a", "b", "c"]
    let sides = ["old", "new"].map { run in
      names.flatMap { name in
        SampleComparisons.report(
          run, name, blocked: 20, statements: Double(100 + random.next(below: 9)),
          moods: moods(&random))
      }
    }
    let comparison = SampleComparisons.comparison(sides[0], sides[1])
    let page = ReportPage(
      baseline: SamplePages.side(sides[0]), candidate: SamplePages.side(sides[1]),
      comparison: comparison)
    return (comparison, page.html)
  }

  @Test func `a comparison's changes are those of the medians beside them`() throws {
    var random = SplitMix64(seed: Self.seed)
    for _ in 0..<5 {
      let (comparison, page) = Self.comparison(&random)
      let document = ComparisonReport.document([comparison], .everything)
      let table = try #require(page.firstRange(of: "s1-change-table"))
      let texts = DocumentFormat.all.map { ($0.name, $0.render(document, Self.style)) }
      for (name, text) in texts + [("page", String(page[table.upperBound...]))] {
        let end = text.firstRange(of: "</table>")?.lowerBound
        let rows = Self.rows(name == "page" ? String(text[..<(end ?? text.endIndex)]) : text)
        #expect(rows.count >= 12, "\(name)")
        for row in rows { row.expectOwnChange("\(name), seed \(Self.seed)") }
      }
      for line in ComparisonReport.csv(comparison).split(separator: "\n").dropFirst() {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        let (base, next) = (Double(fields[9]) ?? 0, Double(fields[13]) ?? 0)
        let change = try #require(Double(fields[17]), "\(line)")
        let own = fields[16] == "ratio" ? next / base : next - base
        #expect(abs(change - own) < 1e-9, "\(line), seed \(Self.seed)")
      }
    }
  }

  @Test func `a gate's changes are those of the medians beside them`() throws {
    for host in ["here", "elsewhere"] {
      let report = GateReport.sample {
        ($0.slower, $0.statements, $0.policy, $0.host) = (1.3, 2, .sample, host)
        ($0.speeds, $0.scatters) = ([1, 1.5], true)
      }
      for format in DocumentFormat.all {
        let rows = Self.rows(try report.render(as: .document(format), style: Self.style))
          .filter { Metrics.named($0.metric) != nil && !$0.change.isEmpty }
        #expect(rows.count >= 2, "\(format.name)")
        for row in rows { row.expectOwnChange("\(format.name), \(host)") }
      }
      let annotations = try report.render(as: .data(.github), style: Self.style)
        .replacing("%25", with: "%")
      for match in annotations.matches(of: /::([0-9.]+) → ([0-9.]+), ([^:]+):/) {
        ShownRow(
          metric: "", baseline: "\(match.1)", candidate: "\(match.2)", change: "\(match.3)"
        ).expectOwnChange("github, \(host)")
      }
    }
  }

  @Test func `a duet's changes are those of the medians beside them`() {
    var random = SplitMix64(seed: Self.seed)
    let noise = (0..<400).map { _ in 1 + Self.unit(&random) }
    let report = DuetAnswerTests.report { number, side in
      noise[(number * 2 + (side == .baseline ? 0 : 1)) % 400]
    }.report
    let document = DuetAnswer.document(report)
    for format in DocumentFormat.all {
      let rows = Self.rows(format.render(document, Self.style))
        .filter { Metrics.named($0.metric) != nil }
      #expect(rows.count >= 2, "\(format.name)")
      for row in rows { row.expectOwnChange("\(format.name), seed \(Self.seed)") }
    }
  }

  private static func rows(_ text: String) -> [ShownRow] {
    text.replacing("</tr>", with: "\n").replacing(/<t[hd][^>]*>/, with: "  ")
      .replacing(/<[^>]+>/, with: "").split(separator: "\n").compactMap { line in
        let cells = line.replacing(" | ", with: "  ").replacing(#/^\| | \|$/#, with: "")
          .split(separator: #/ {2,}/#)
          .map { String($0.replacing(/[*`]/, with: "").replacing("\\", with: "")).trimmingSpaces }
          .filter { !$0.isEmpty }
        let names = cells.map { $0.split(separator: " ").last.map(String.init) ?? "" }
        // A legend may end with the name of a label, such as `side`.
        let isNumber = { (name: String) in Metrics.named(name).map { $0.kind != .label } ?? false }
        guard let metric = names.firstIndex(where: isNumber),
          cells.count > metric + 3
        else { return nil }
        return ShownRow(
          metric: names[metric], baseline: cells[metric + 1], candidate: cells[metric + 2],
          change: cells[metric + 3])
      }
  }
}

private struct ShownRow {
  let metric: String
  let baseline: String
  let candidate: String
  let change: String

  func expectOwnChange(_ where: String, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let base = Self.range(baseline), let next = Self.range(candidate),
      let (shown, isRatio) = Self.change(change)
    else {
      let isNone = change == Table.missing
      #expect(isNone, "\(self): \(`where`)", sourceLocation: sourceLocation)
      return
    }
    let own =
      isRatio
      ? next.lowerBound / base.upperBound...next.upperBound / base.lowerBound
      : next.lowerBound - base.upperBound...next.upperBound - base.lowerBound
    #expect(own.overlaps(shown), "\(self): \(`where`)", sourceLocation: sourceLocation)
  }

  /// The numbers that are rounded to this text.
  private static func range(_ text: String) -> ClosedRange<Double>? {
    let digits = text.replacing(",", with: "")
    guard let value = Double(digits) else { return nil }
    let decimals = digits.split(separator: ".").dropFirst().first?.count
    let whole = digits.filter(\.isNumber).count
    var half = 0.5
    for _ in 0..<(decimals ?? 0) { half /= 10 }
    if decimals == nil { for _ in 0..<max(0, whole - 3) { half *= 10 } }
    return value - half - 1e-9...value + half + 1e-9
  }

  private static func change(_ text: String) -> (ClosedRange<Double>, isRatio: Bool)? {
    let number = text.replacing(/^\+|^×| %$| ms$/, with: "")
    guard let range = range(number) else { return nil }
    if text.hasPrefix("×") { return (range, true) }
    guard text.hasSuffix(" %") else { return (range, false) }
    return (1 + range.lowerBound / 100...1 + range.upperBound / 100, true)
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
