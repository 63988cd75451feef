import ArgumentParser
import Harness
import Judging
import Measurement
import Reports
import Workload

struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare reports with a baseline.",
    usage: """
      topobench compare <baseline.csv> <candidate.csv> ... <options>
      topobench compare --baseline <file> ... --candidate <file> ...
      topobench compare <duet.csv>
      """,
    discussion: """
      The first report is the baseline of each other one. Compares the longest gap, blocked time, \
      the time until the change is visible, and exact counts. Shows both medians, their change \
      and the verdict: better, worse, same or inconclusive. For one candidate, each change has its 95 % \
      interval. Times of two machines, or of one at two speeds, are inconclusive. Matches cells by \
      scenario, digest, parameters, topology and store, and lists the unmatched ones.

      Exit status 0 whatever changed, but 3 if cells failed and nothing was left to compare: scripts \
      use `topobench gate`.

      Examples:
        topobench compare baseline.csv candidate.csv
        topobench compare monday.csv tuesday.csv wednesday.csv
        topobench compare --baseline a.csv b.csv --candidate c.csv
      """)

  @Argument(
    help: .init(
      "CSV file of the baseline, then of each candidate; or of one duet. `-` is standard input.",
      valueName: "file"))
  var files: [String] = []
  @OptionGroup var named: SideOptions
  @Option(
    help: .init(
      "Metric to compare and list, or `all`. Repeatable.",
      valueName: "name"), completion: .metrics)
  var metric: [String] = []
  @Option(help: "Format of the answer.")
  var format: ComparisonReport.Format = .table

  func run() async throws {
    let metrics = try resolvedMetrics()
    let reports = try await read(keeping: (metrics ?? Comparison.defaultMetrics) + [.rawSQLite])
    let comparisons = zip(reports, sides.candidates).map { reports, files in
      Comparison(
        reports.matching, baselineFiles: sides.baseline, candidateFiles: files,
        metrics: metrics, diagnoses: reports.diagnoses)
    }
    let output = StandardOutput()
    try ComparisonReport.write(
      comparisons, as: format, style: .standardOutput,
      listing: metric.isEmpty ? .changes : .everything
    ) { try output.write($0) }
    if case .data(.csv) = format { ComparisonReport.notes(comparisons).forEach(Messages.say) }
    throw ExitCode(ExitStatus.worst(comparisons.map(ExitStatus.of)))
  }

  private var sides: (baseline: [String], candidates: [[String]]) {
    guard let first = files.first else { return (named.baseline, [named.candidate]) }
    return ([first], files.count == 1 ? [[first]] : files.dropFirst().map { [$0] })
  }

  private func read(keeping metrics: [Metric]) async throws -> [ComparedReports] {
    try checkFiles()
    if files.count == 1 { return [try ComparedReports(duet: files[0], keeping: metrics)] }
    return try await ComparedReports.all(
      baseline: sides.baseline, candidates: sides.candidates, keeping: metrics)
  }

  private func checkFiles() throws {
    guard files.isEmpty || named.all.isEmpty else {
      throw UsageError("compare: name files, or use --baseline and --candidate, not both")
    }
    guard !files.isEmpty || named.areWhole else {
      let missing = named.all.isEmpty ? "" : " of both sides"
      throw UsageError(
        "compare: name the files\(missing), such as: topobench compare baseline.csv candidate.csv")
    }
    try named.requireOneStandardInput(for: "compare", besides: files)
  }

  /// Nil for the default ones.
  private func resolvedMetrics() throws -> [Metric]? {
    if metric.isEmpty { return nil }
    let named = try Metrics.named(
      metric.filter { $0 != "all" }, among: Metrics.all.filter { $0.kind != .label })
    return metric.contains("all") ? Comparison.allMetrics : named
  }
}
