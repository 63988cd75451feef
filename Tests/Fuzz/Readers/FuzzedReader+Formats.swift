import Foundation
import Harness
import Judging
import Measurement
import Reports

// Any valid file can be judged, drawn and written in every format.

extension FuzzedReader {
  /// Unless the report is a duet's, every other row belongs to the candidate.
  func readSides(_ bytes: [UInt8]) {
    guard let cells = try? CellCSV.decode(bytes) else { return }
    let isDuet = cells.allSatisfy { $0.duet != nil }
    var sides: [Side: [CellResult]] = [:]
    for (index, cell) in cells.enumerated() {
      let other: Side = index.isMultiple(of: 2) ? .baseline : .candidate
      sides[(isDuet ? cell.duet?.side : nil) ?? other, default: []].append(cell)
    }
    tell(sides[.baseline] ?? [], sides[.candidate] ?? [])
    let summary = Summary(cells: cells)
    for format in Answer.Format.allCases {
      requireJSON(
        written { try Answer.render(summary, as: format, style: Told.style) },
        if: format.rawValue == "json")
    }
    _ = ReportPage(PageSide(files: [], cells: cells)).html
  }

  private func written(_ text: () throws -> String) -> String {
    do { return try text() } catch { preconditionFailure("nothing was written: \(error)") }
  }

  private func tell(_ baseline: [CellResult], _ candidate: [CellResult]) {
    let matching = Matching(baseline: SideCells(baseline), candidate: SideCells(candidate))
    let comparison = Comparison(matching, baselineFiles: ["a.csv"], candidateFiles: ["b.csv"])
    for format in ComparisonReport.Format.allCases {
      for comparisons in [[comparison], [comparison, comparison]] {
        let text = written {
          var text = ""
          try ComparisonReport.write(comparisons, as: format, style: Told.style) { text += $0 }
          return text
        }
        requireJSON(text, if: format.rawValue == "json")
      }
    }
    let gate = GateReport(
      Gate(policy: Told.policy, allowsOtherMachine: true, today: Told.today).judge(matching),
      comparison
    )
    for format in GateReport.Format.allCases {
      requireJSON(
        written { try gate.render(as: format, style: Told.style) }, if: format.rawValue == "json")
    }
    _ =
      ReportPage(
        baseline: PageSide(files: [], cells: baseline, joinsStores: false),
        candidate: PageSide(files: [], cells: candidate, joinsStores: false), comparison: comparison
      ).html
  }

  func readDocuments(_ data: Data) {
    var collection = CellCollection()
    guard (try? collection.add(data, from: "cells.jsonl")) != nil else { return }
    try? collection.requireOneRun()
    _ = CellCSV.text(collection.cells)
    var side = PageSide(files: [], cells: collection.cells)
    for document in collection.documents {
      guard let window = document.windows.medianRepeat else { continue }
      side.timelines[CellKey(document.result)] = .known(window)
    }
    _ = ReportPage(side).html
  }

  func readRecording(_ data: Data) {
    guard let timeline = try? JSONDecoder().decode(RecordedTimeline.self, from: data) else {
      return
    }
    let again = (try? JSONEncoder().encode(timeline)).flatMap {
      try? JSONDecoder().decode(RecordedTimeline.self, from: $0)
    }
    precondition(again == timeline, "a recording changed on its way")
    requireJSON(Trace.json([timeline, timeline]), if: true)
  }

  /// The page shows the entries that it knows, whatever the file's version.
  func readEnvironment(_ data: Data) {
    let file: PageSide.File = ("a.csv", data)
    _ = ReportPage(PageSide(files: [file], cells: [])).html
    guard let environment = try? JSONDecoder().decode(MachineEnvironment.self, from: data) else {
      return
    }
    let reading = environment.machine
    _ =
      reading.diagnoses
      + MachineDifferences.diagnoses(baseline: [reading], candidate: [MachineReading()])
    precondition((try? JSONEncoder().encode(environment)) != nil, "it cannot be written")
  }

  private func requireJSON(_ text: String, if isJSON: Bool) {
    guard isJSON else { return }
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    precondition(object != nil, "what is told is no JSON")
  }
}

private enum Told {
  static let style = TextStyle(width: 80)

  static let today: CalendarDay = {
    guard let today = CalendarDay("2026-06-01") else { preconditionFailure("it is a day") }
    return today
  }()

  static let policy: Policy = {
    var policy = Policy()
    policy.gated = [.mainLongestGap, .changesPerSecond, .framesLate]
    policy.inexactCounts = [InexactCount(metric: .mainFaultsFired, reason: "frames")]
    policy.limits = [
      Limit(topology: nil, metric: .mainBlocked, relation: .atMost, bound: 16.7)
    ]
    policy.expectations = [Expectation(better: "notification-merge", worse: "main-only")]
    return policy
  }()
}
