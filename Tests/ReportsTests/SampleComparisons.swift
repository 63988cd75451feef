import Judging
import Measurement

@testable import Reports

enum SampleComparisons {
  static let metrics: [Metric] = [
    .mainBlocked, .mainWaiting, .framesLate, .total, .mainStatements,
  ]

  static func report(
    _ run: String, _ topology: String, blocked: Double, statements: Double = 120,
    moods: [Double] = SampleSummaries.moods
  ) -> [CellResult] {
    SampleSummaries.cells(topology, blocked, executing: blocked, moods: moods).with {
      $0.runID = run
      $0.hostID = "h1"
      $0.gitSHA = run == "old" ? "0a1b2c3d4e5f6071" : "f0e1d2c3b4a59687"
      $0.metrics["main_statements"] = statements
    }
  }

  /// One topology for each verdict, a crashed cell, topologies without a partner, and a scenario of
  /// another version.
  static func sides() -> (baseline: [CellResult], candidate: [CellResult]) {
    let restless = [0.7, 1.4, 0.9, 1.2, 1.0, 0.8, 1.3, 1.1]
    let crashed = report("new", "main-only", blocked: 40)[0].with {
      ($0.status, $0.error, $0.trial, $0.order) = (.crashed, "ended by signal 11", 9, 9)
    }
    let old = report("old", "main-only", blocked: 2)[..<6].with {
      ($0.scenario, $0.scenarioDigest) = ("import", "1111111111111111")
    }
    let new = old.with {
      ($0.runID, $0.scenarioDigest) = ("new", "2222222222222222")
      $0.gitSHA = "f0e1d2c3b4a59687"
    }
    return (
      report("old", "main-only", blocked: 40) + report("old", "root-main-private", blocked: 12)
        + report("old", "notification-merge", blocked: 6.5)
        + report("old", "parent-child", blocked: 30) + old,
      report("new", "main-only", blocked: 40, moods: SampleSummaries.moods.reversed()) + [crashed]
        + report("new", "root-main-private", blocked: 15.2, statements: 124)
        + report("new", "notification-merge", blocked: 4.1)
        + report("new", "parent-child", blocked: 31, moods: restless)
        + report("new", "mine", blocked: 3) + new
    )
  }

  static func sample() -> Comparison {
    let (baseline, candidate) = sides()
    return comparison(
      baseline, candidate,
      diagnoses: [Diagnosis("the governor is powersave", remedy: "set it to performance")])
  }

  static func comparison(
    _ baseline: [CellResult], _ candidate: [CellResult], metrics: [Metric] = metrics,
    diagnoses: [Diagnosis] = [], files: (String, String) = ("old.csv", "new.csv")
  ) -> Comparison {
    Comparison(
      Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)),
      baselineFiles: [files.0], candidateFiles: [files.1], metrics: metrics, diagnoses: diagnoses)
  }

  static func same() -> Comparison {
    let baseline = sides().baseline
    return comparison(baseline, baseline)
  }
}

extension ComparisonReport {
  static func json(_ comparison: Comparison) throws -> String {
    var text = ""
    try json([comparison]) { text += $0 }
    return text
  }

  static func csv(_ comparison: Comparison) -> String {
    var text = ""
    csv([comparison]) { text += $0 }
    return text
  }
}
