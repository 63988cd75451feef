import Support
import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports
import Workload

struct GateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Check a candidate's reports for regressions, for scripts.",
    usage: """
      topobench gate --baseline <file> ... --candidate <file> ... [<options>]
      topobench gate --duet <file> [<options>]
      """,
    discussion: """
      Gates main_blocked_ms of each topology by statistics, and the counts that do not depend on \
      scheduling exactly. A policy file gates more metrics, sets floors, limits and expectations, \
      and accepts increases until a date. An inconclusive result says how many trials are needed.

      Exit status:
        0   nothing is worse
        1   the candidate cannot be read
        2   a regression, a broken limit, or an expectation that does not hold
        3   a cell of the candidate was wrong, crashed or timed out
        4   inconclusive: too noisy, too few trials, or too many suspect cells
        5   the baseline cannot be read, or has another scenario, seed or machine
        6   nothing was compared
        64  wrong command line or policy
      """)

  @OptionGroup var options: GateOptions

  func run() async throws {
    let gate = try options.gate()
    if try options.createBaselineIfMissing() { return }
    let reports = try await options.read(for: gate)
    let report = GateReport(
      gate.judge(reports.matching),
      Comparison(
        reports.matching, baselineFiles: options.files.baseline,
        candidateFiles: options.files.candidate,
        metrics: gate.shown, diagnoses: reports.diagnoses))
    print(try report.render(as: options.format, style: .standardOutput), terminator: "")
    if options.updateBaseline {
      return try options.renewBaseline(
        of: reports.matching.baseline, badCells: report.result.badCells.count)
    }
    throw ExitCode(report.result.outcome.exitStatus)
  }
}

struct GateOptions: ParsableArguments {
  @OptionGroup var sides: SideOptions
  @Option(
    help: ArgumentHelp(
      "CSV file of a duet, with both sides in pairs.", valueName: "file"))
  var duet: String?
  @Option(
    help: ArgumentHelp(
      "YAML file of gates, limits, expectations and waivers.", valueName: "file"))
  var policy: String?
  @Option(
    help: ArgumentHelp("Metric to gate in addition. Repeatable.", valueName: "name"))
  var metric: [String] = []
  @Flag(help: "Accept a baseline of another machine: gate counts, show times.")
  var allowOtherMachine = false
  @Flag(help: "Show the changes, then replace the baseline with the candidate.")
  var updateBaseline = false
  @Option(help: "Format of the answer.")
  var format: GateReport.Format = .table
}

// MARK: - What is asked

extension GateOptions {
  /// - Throws: `UsageError`.
  func gate() throws -> Gate {
    if duet == nil {
      guard sides.areWhole else {
        throw UsageError(
          "gate needs --baseline and --candidate, each with one CSV file or more; or --duet with one"
        )
      }
    } else if !sides.all.isEmpty || updateBaseline {
      throw UsageError(
        "--duet: its file holds both sides; leave out --baseline, --candidate and --update-baseline"
      )
    }
    try sides.requireOneStandardInput(for: "gate")
    var policy = try policy.map { try PolicyFile.read($0) } ?? Policy()
    policy.gated += try metric.map(Self.gated)
    return Gate(policy: policy, allowsOtherMachine: allowOtherMachine, today: .today)
  }

  func read(for gate: Gate) async throws -> ComparedReports {
    if let duet { return try ComparedReports(duet: duet, keeping: gate.kept) }
    return try await ComparedReports(
      baseline: sides.baseline, candidate: sides.candidate, keeping: gate.kept)
  }

  /// What each side was read from.
  var files: (baseline: [String], candidate: [String]) {
    duet.map { ([$0], [$0]) } ?? (sides.baseline, sides.candidate)
  }

  private static func gated(_ name: String) throws -> String {
    let known = Comparison.allMetrics.map(\.name)
    guard known.contains(name) else {
      let hint = NearestName.hint(for: name, in: known)
      throw UsageError(
        "--metric: '\(name)' is not a metric that can be judged.\(hint)"
          + " `topobench list metrics` shows all")
    }
    return name
  }
}

extension Gate {
  /// The metrics that the report shows beside the verdicts.
  var shown: [Metric] {
    let names = Set((Comparison.defaultMetrics + metrics).map(\.name))
    return Metrics.all.filter { names.contains($0.name) }
  }

  /// The metrics that the gate reads from each row.
  var kept: [Metric] {
    let required = policy.limits.map(\.metric) + policy.expectations.map(\.metric)
    let names = Set(shown.map(\.name) + required + [Metric.rawSQLite, .sync].map(\.name))
    return Metrics.all.filter { names.contains($0.name) }
  }
}

extension CalendarDay {
  /// In universal time, so that a waiver ends everywhere at once.
  static var today: CalendarDay {
    let day = Date().formatted(.iso8601.year().month().day())
    guard let today = CalendarDay(day) else { preconditionFailure("no day: \(day)") }
    return today
  }
}
