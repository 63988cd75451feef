import Foundation
import Judging
import Reports
import Testing

@testable import topobench_lab

// Turns computed by hand. A push-up costs 10 µs:
//
//   root    300 push-ups              3 ms
//   merge   100 merged objects × r    r ms       r is 1 at these prices
//   only     10 commits × r           r / 10 ms  r is 4 at these prices

@Suite struct SensitivityAnswerTests {
  static let answer: Sensitivity = {
    var answer = Sensitivity(
      scenario: "made", source: "`costs`", pricesUs: ["push_up": 10, "refresh": 10, "commit": 40],
      counts: [
        .init("root", main: ["push_up": 300], blocked: 3.1),
        .init("merge", main: ["refresh": 100], blocked: nil),
        .init("only", main: ["commit": 10], blocked: 0.5),
      ])
    answer.turns[0].check = .init(
      lower: .init(overtaking: 3, overtaken: 2), upper: .init(overtaking: 3, overtaken: 6))
    answer.turns[1].check = .init(
      lower: .init(overtaking: 3, overtaken: 2), upper: .init(overtaking: 3, overtaken: 3))
    return answer
  }()

  @Test func `the order turns at the ratios computed by hand`() {
    let turns = Self.answer.turns.map { "\($0.overtaking) \($0.overtaken) \($0.event) \($0.ratio)" }
    #expect(
      Set(turns) == [
        "root merge refresh 3.0", "only merge refresh 0.4", "merge only commit 10.0",
        "root only commit 30.0",
      ])
    #expect(Self.answer.turns.last?.overtaking == "root")
    #expect(Self.answer.turns.last?.here == 4)
    #expect(Self.answer.topologies.map(\.charged) == [0.4, 1, 3])
  }

  @Test func `a turn beyond 100, or of a difference below 5 %, does not count`() {
    func turns(_ one: [String: Int], _ other: [String: Int]) -> [Double] {
      Sensitivity(
        scenario: "made", source: "", pricesUs: ["push_up": 10],
        counts: [.init("a", main: one, blocked: nil), .init("b", main: other, blocked: nil)]
      ).turns.map(\.ratio)
    }
    #expect(turns(["push_up": 100], ["fault": 1]) == [100])
    #expect(turns(["push_up": 101], ["fault": 1]) == [])
    #expect(turns(["push_up": 1000, "fault": 9], ["push_up": 1010, "fault": 8]) == [])
  }

  @Test func `equal events cost the same, however their dictionary is stored`() {
    let events = Sensitivity.corePricesUs.keys.sorted().enumerated().map { ($1, 7 + 4 * $0) }
    let counts = (0..<8).map { size in
      var main = Dictionary(uniqueKeysWithValues: events)
      main.reserveCapacity(8 << size)
      return Sensitivity.ChargedTopology("\(size)", main: main, blocked: nil)
    }
    let answer = Sensitivity(
      scenario: "made", source: "", pricesUs: Sensitivity.corePricesUs, counts: counts)
    #expect(Set(answer.topologies.map(\.charged)).count == 1)
  }

  @Test func `the text says what was computed and what cells showed`() throws {
    let style = TextStyle(width: 100)
    let text = try SensitivityAnswer.render(Self.answer, as: .table, style: style)
    #expect(
      text.contains(
        "Order by main's charged time in made at the prices of `costs`: only (0.400 ms), merge (1.00"
      ))
    let checked = Self.answer.turns[0]
    let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      flat.contains(
        "times a push-up (here \(checked.event == "refresh" ? "1.00" : "4.00")); cells on both sides"
          + " confirm it."))
    #expect(flat.contains("cells on both sides do not confirm it."))
    #expect(
      flat.contains(
        "root overtakes only when a commit costs more than 30.0 times a push-up (here 4.00)."))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `the core's prices are a hundred times its costs, which scripts/fit-device reads`()
    throws
  {
    let file = URL(filePath: #filePath)
      .appending(path: "../../../Scenarios/devices/figures/core.yaml").standardizedFileURL
    var prices: [String: Double] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    where !line.hasPrefix("#") {
      let parts = line.split(separator: ": ")
      let cost = try #require(Double(parts[1]))
      if cost > 0 { prices[String(parts[0])] = cost * 100 }
    }
    #expect(prices.keys.sorted() == Sensitivity.corePricesUs.keys.sorted())
    for (event, price) in Sensitivity.corePricesUs {
      #expect(abs(price - (prices[event] ?? 0)) < 1e-9, "\(event)")
    }
  }

  @Test func `without a turn, the order stands for all ratios`() throws {
    let answer = Sensitivity(
      scenario: "made", source: "`costs`", pricesUs: ["push_up": 10],
      counts: [
        .init("a", main: ["push_up": 1], blocked: 1), .init("b", main: ["push_up": 2], blocked: 2),
      ])
    #expect(try SensitivityAnswer.json(answer).contains("turns this order"))
    #expect(answer.turns.isEmpty)
  }
}
