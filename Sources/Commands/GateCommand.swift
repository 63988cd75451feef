import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports
import Support
import Topologies
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
      Gates the counts that do not depend on scheduling exactly, and counted instructions. With \
      --times gate, also main_blocked_ms of each topology by statistics, on one steady machine. A \
      policy file gates more metrics, sets floors, limits and expectations, and accepts increases \
      until a date. An inconclusive result says how many trials are needed.

      Exit status as in `topobench --help`. A broken limit and a failed expectation are regressions. \
      A part of the baseline that the candidate lacks is inconclusive.

      Examples:
        topobench gate --baseline old.csv --candidate new.csv
        topobench gate --baseline old.csv --candidate new.csv --policy gate.yaml
      """)

  @OptionGroup var sides: SideOptions
  @Option(help: .init("CSV file of a duet, with both sides in pairs.", valueName: "file"))
  var duet: String?
  @Option(help: .init("YAML file of gates, limits, expectations and waivers.", valueName: "file"))
  var policy: String?
  @Option(
    help: .init("Metric to gate in addition. Repeatable.", valueName: "name"), completion: .metrics)
  var metric: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: .init("Topologies to gate, instead of all of the baseline.", valueName: "topology"),
    completion: .measuredTopologies)
  var only: [String] = []
  @Option(
    help: .init(
      "Whether times decide, or advise: then counts alone decide, on any machine. Default: advise;"
        + " of a duet, gate."))
  var times: Gate.Times?
  @Flag(help: "With --times gate: accept a baseline of another machine, whose times advise.")
  var allowOtherMachine = false
  @Flag(help: "Show the changes, then replace the baseline with the candidate.")
  var updateBaseline = false
  @Option(help: "Format of the answer.")
  var format: GateReport.Format = .table

  func run() async throws {
    var gate = try gate()
    if try createBaselineIfMissing() { return }
    let reports = try await read(for: gate)
    gate.isSameToolchain = reports.isSameToolchain
    let report = GateReport(
      gate.judge(reports.matching),
      Comparison(
        reports.matching, baselineFiles: files.baseline, candidateFiles: files.candidate,
        metrics: gate.shown, diagnoses: reports.diagnoses))
    try StandardOutput().write(report.render(as: format, style: .standardOutput))
    if updateBaseline {
      return try renewBaseline(
        of: reports.matching.baseline, badCells: report.result.badCells.count)
    }
    throw ExitCode(report.result.outcome.exitStatus)
  }

  private func gate() throws -> Gate {
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
    guard only.isEmpty || !updateBaseline else {
      throw UsageError("--update-baseline: renews the baseline as a whole; leave out --only")
    }
    policy.only = (policy.only + only).unique
    policy.gated += try Metrics.named(metric, among: Comparison.allMetrics)
    return Gate(
      policy: policy, times: times ?? (duet == nil ? .advise : .gate),
      allowsOtherMachine: allowOtherMachine, today: .today)
  }

  private func read(for gate: Gate) async throws -> ComparedReports {
    let only = gate.policy.only
    let reports =
      if let duet {
        try ComparedReports(duet: duet, keeping: gate.kept, only: only)
      } else {
        try await readSides(for: gate)
      }
    let known = Set(reports.matching.baseline.groups.map(\.key.topology))
    if let stranger = only.first(where: { !known.contains($0) }) {
      throw UsageError(
        "only: the baseline has no topology \(stranger.quoted)."
          + NearestName.hint(for: stranger, in: KnownTopologies.all.map(\.name))
          + " Correct its name, or renew the baseline with --update-baseline")
    }
    try checkNames(gate.policy, in: reports.matching)
    return reports
  }

  /// - Throws: `InputError` if the policy misspells a topology. Another unknown name may be another
  ///   executable's topology.
  private func checkNames(_ policy: Policy, in matching: Matching) throws {
    let keys = (matching.baseline.groups + matching.candidate.groups).map(\.key)
    let known = Set(keys.map(\.topology) + KnownTopologies.all.map(\.name))
    let scenarios = Set(keys.map(\.scenario))
    for named in policy.named
    where !known.contains(named.name) && named.scenario.map(scenarios.contains) ?? true {
      guard let meant = NearestName.closest(to: named.name, in: known) else { continue }
      throw InputError(
        named.origin, field: named.field,
        "no topology is called \(named.name.quoted). Did you mean '\(meant)'?")
    }
  }

  private func readSides(for gate: Gate) async throws -> ComparedReports {
    do {
      return try await ComparedReports.all(
        baseline: sides.baseline, candidates: [sides.candidate], keeping: gate.kept,
        only: gate.policy.only)[0]
    } catch let status as ExitCode where status == ExitCode(.baseline) {
      if sides.baseline.contains(where: {
        $0 != "-" && !FileManager.default.fileExists(atPath: $0)
      }) {
        Messages.say(
          "To make the baseline of the candidate, type the same with --update-baseline; commit it with"
            + " its environment file.")
      }
      throw status
    }
  }

  private var files: (baseline: [String], candidate: [String]) {
    duet.map { ([$0], [$0]) } ?? (sides.baseline, sides.candidate)
  }

  /// Returns whether it made a baseline of the candidate, because there is none yet.
  private func createBaselineIfMissing() throws -> Bool {
    guard updateBaseline else { return false }
    guard sides.baseline.count == 1 else {
      throw UsageError("--update-baseline: give one --baseline, the file to be renewed")
    }
    guard !sides.all.contains("-") else {
      throw UsageError("--update-baseline: name files; standard input has no environment beside it")
    }
    guard !FileManager.default.fileExists(atPath: sides.baseline[0]) else { return false }
    let renewal = try BaselineRenewal(of: sides.baseline[0], from: sides.candidate)
    try renewal.write()
    Messages.say("Baseline made: \(renewal.summary)")
    return true
  }

  /// Replaces the baseline whatever the verdict is, unless a cell is bad.
  private func renewBaseline(of before: SideCells, badCells: Int) throws {
    guard badCells == 0 else {
      Messages.say("The baseline is not renewed: the candidate has bad cells.")
      throw ExitCode(.badCell)
    }
    let renewal = try BaselineRenewal(of: sides.baseline[0], from: sides.candidate)
    try renewal.write()
    let revisions = before.revisions.sorted().joined(separator: ", ")
    Messages.say(
      "Baseline renewed: \(renewal.summary); it was \(before.cells) cells of commit"
        + " \(revisions.isEmpty ? "unknown" : revisions)")
  }
}

extension Gate {
  var shown: [Metric] {
    let shown = Set(Comparison.answerMetrics + metrics)
    return Metrics.all.filter(shown.contains)
  }

  var kept: [Metric] {
    let required = policy.limits.map(\.metric) + policy.expectations.map(\.metric)
    let kept = Set(shown + required + [.rawSQLite, .sync])
    return Metrics.all.filter(kept.contains)
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

extension BaselineRenewal {
  fileprivate var summary: String {
    let revision = cells.first?.gitSHA ?? ""
    return
      "\(baseline.path), \(cells.count) cells of commit \(revision.isEmpty ? "unknown" : revision)"
  }
}

extension Gate.Times: ExpressibleByArgument {}
