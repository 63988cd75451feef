import Foundation
import Measurement
import Testing

@Suite("What the gate says to do")
struct GateAdviceTests {
  private let command = CommandRun()

  private func cells(
    _ run: String, topologies: Int = 2, edit: (inout CellResult) -> Void = { _ in }
  ) -> [CellResult] {
    (1...6).flatMap { trial in
      (1...topologies).map { index in
        CellResult.sample(run, "stack-\(index)", trial: trial) {
          $0.order = topologies * trial + index
          $0.metrics["main_statements"] = 100
          edit(&$0)
        }
      }
    }
  }

  private func gate(
    _ candidate: [CellResult], baseline: [CellResult], _ options: String..., expecting status: Int32
  ) throws -> CommandRun.Outcome {
    try command.write(baseline, to: "old.csv")
    try command.write(candidate, to: "new.csv")
    return try command.run(
      ["gate", "--baseline", "old.csv", "--candidate", "new.csv"] + options, expecting: status)
  }

  @Test func `what another --set left out is said once, with both settings`() throws {
    let baseline = cells("old", topologies: 20) {
      $0.parameters = #"{"changes.order":"sorted rows","data.rows":150}"#
    }
    let candidate = cells("new", topologies: 20) { $0.parameters = #"{"data.rows":200}"# }
    let output = try gate(candidate, baseline: baseline, expecting: 6).output
    let advice =
      "missing from the candidate, which was measured with --set data.rows=200: measure it with --set"
      + " 'changes.order=sorted rows' --set data.rows=150, or renew the baseline with --update-baseline"
    #expect(output.words.components(separatedBy: advice).count == 2, "\(output)")
    #expect(output.components(separatedBy: "stack-1 ").count <= 3, "\(output)")
    #expect(output.words.contains("and 18 more"), "\(output)")
  }

  @Test(arguments: [
    ("store", "measure it with --store serial, or renew"),
    ("set", "measured without --set: measure it with --set data.rows=9"),
    ("scenario", "measure it with --scenario 'import 2', or renew"),
    ("topology", "measure it with --topology my-stack-1 --topology my-stack-2, or name the"),
  ])
  func `the advice for a missing part names the option that measures it`(
    part: String, words: String
  ) throws {
    let missing = cells("old") { cell in
      switch part {
      case "store": cell.store = "serial"
      case "set": cell.parameters = #"{"data.rows":9}"#
      case "scenario": cell.scenario = "import 2"
      default: cell.topology = "my-\(cell.topology)"
      }
    }
    let output = try gate(cells("new"), baseline: cells("old") + missing, expecting: 4).output
    #expect(output.words.contains(words), "\(output)")
  }

  @Test func `of the figures that are not gated, the worst come first`() throws {
    func report(_ run: String, _ slowness: (Int) -> Double) -> [CellResult] {
      cells(run, topologies: 12) { cell in
        let index = cell.order - 12 * cell.trial
        cell.metrics["total_ms"] = (100 + Double((cell.trial * 3) % 7)) * slowness(index)
      }
    }
    let candidate = report("new") { $0 == 12 ? 4 : $0 == 11 ? 1.5 : 0.5 }
    let output = try gate(candidate, baseline: report("old") { _ in 1 }, expecting: 0).output
    let worst = "Not gated, but changed: stack-12 total_ms"
    #expect(output.words.contains(worst), "\(output)")
    #expect(
      output.words.contains("(worse), stack-11 total_ms +50 % (worse), "), "\(output)")
  }

  @Test(arguments: [
    "limits:\n  - stack-l: main_statements <= 100\n",
    "expectations:\n  - main_statements: stack-1 < stack-l\n",
    "waivers:\n  - {metric: main_statements, topology: stack-l, reason: a, until: 2999-01-01}\n",
    "inexact:\n  - {metric: main_statements, topology: stack-l, reason: a}\n",
  ])
  func `a misspelt topology of a policy is refused with a suggestion`(policy: String) throws {
    try command.write(policy, to: "policy.yaml")
    let field = policy.prefix { $0 != ":" }
    let refused = try gate(
      cells("new"), baseline: cells("old"), "--policy", "policy.yaml", expecting: 64)
    #expect(
      refused.errors.contains(
        "policy.yaml:2: field '\(field)[1]': no topology is called 'stack-l'. Did you mean 'stack-"),
      "\(refused.errors)")
    try command.write(policy.replacing("stack-l", with: "another"), to: "policy.yaml")
    let other = try gate(
      cells("new"), baseline: cells("old"), "--policy", "policy.yaml",
      expecting: ["limits", "expectations"].contains(field) ? 4 : 0)
    #expect(!other.errors.contains("no topology"), "\(other.errors)")
  }
}
