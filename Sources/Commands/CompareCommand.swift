import ArgumentParser
import Harness
import Judging
import Measurement
import Reports
import Workload

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two sets of reports.",
    usage: """
      topobench compare <baseline.csv> <candidate.csv> <options>
      topobench compare --baseline <file> ... --candidate <file> ...
      topobench compare <duet.csv>
      """,
    discussion: """
      Shows for each topology and metric both medians, the change with its 95 % interval, and the \
      verdict: better, worse, same or inconclusive. Matches cells by scenario, digest, parameters, \
      topology and store, and lists the unmatched ones.

      Exit status: 0 whatever changed (scripts use `gate`), 5 if the baseline cannot be read or has \
      another version of a scenario, 1 if the candidate cannot be read, 6 if nothing was compared.

      Examples:
        topobench compare baseline.csv candidate.csv
        topobench compare --baseline a.csv b.csv --candidate c.csv
      """)

  @Argument(
    help: .init(
      "CSV files of baseline and candidate, or of one duet; `-` is standard input.",
      valueName: "file"))
  var files: [String] = []
  @OptionGroup var named: SideOptions
  @Option(
    help: .init(
      "Metric to compare and list, or `all`. Repeatable. Default: the answer's metrics.",
      valueName: "name"))
  var metric: [String] = []
  @Option(help: "Format of the answer.")
  var format: ComparisonReport.Format = .table

  func run() async throws {
    let metrics = try resolvedMetrics()
    let reports = try await read(keeping: metrics + [.rawSQLite])
    let comparison = Comparison(
      reports.matching, baselineFiles: sides.baseline, candidateFiles: sides.candidate,
      metrics: metrics, diagnoses: reports.diagnoses)
    let output = StandardOutput()
    try ComparisonReport.write(
      comparison, as: format, style: .standardOutput,
      listing: metric.isEmpty ? .changes : .everything
    ) { try output.write($0) }
    if case .data(.csv) = format { ComparisonReport.notes(comparison).forEach(Messages.say) }
    throw ExitCode(.of(comparison))
  }

  private var sides: (baseline: [String], candidate: [String]) {
    if !files.isEmpty { return ([files[0]], [files[files.count - 1]]) }
    return (named.baseline, named.candidate)
  }

  private func read(keeping metrics: [Metric]) async throws -> ComparedReports {
    try checkFiles()
    if files.count == 1 { return try ComparedReports(duet: files[0], keeping: metrics) }
    return try await ComparedReports(
      baseline: sides.baseline, candidate: sides.candidate, keeping: metrics)
  }

  private func checkFiles() throws {
    guard files.isEmpty || named.all.isEmpty else {
      throw UsageError("compare: name two files, or use --baseline and --candidate, not both")
    }
    guard files.count <= 2 else {
      throw UsageError(
        "compare: \(files.count) files; assign more than two to sides:"
          + " --baseline A1.csv A2.csv --candidate B1.csv …")
    }
    guard !files.isEmpty || named.areWhole else {
      let missing = named.all.isEmpty ? "" : " of both sides"
      throw UsageError(
        "compare: name the files\(missing), such as: topobench compare baseline.csv candidate.csv")
    }
    try named.requireOneStandardInput(for: "compare", besides: files)
  }

  private func resolvedMetrics() throws -> [Metric] {
    if metric.isEmpty { return Comparison.defaultMetrics }
    let named = try Metrics.named(
      metric.filter { $0 != "all" }, among: Metrics.all.filter { $0.kind != .label })
    return metric.contains("all") ? Comparison.allMetrics : named
  }
}
