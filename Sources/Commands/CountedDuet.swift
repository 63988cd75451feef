import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports

/// A gate judges the counts of both builds.
struct CountedDuet {
  let options: DuetOptions
  let files: DuetFileOptions

  func run(_ interrupts: Interrupts) async throws {
    guard options.inexact.isEmpty, options.mostPairs == nil, files.record == nil else {
      throw UsageError(
        "--inexact, --most-pairs and --record: not with --count, which counts each cell once")
    }
    let format = try format()
    try Callgrind.requireTools()
    let limit = files.limit.duration
    guard let binaries = try await options.binaries(limit, interrupts) else {
      throw ExitCode(.interrupted)
    }
    let folder = try files.storage.makeFolder()
    defer { RunFolder.remove(folder) }
    let request = try await request(binaries, in: folder, limit, interrupts)
    let results = try files.results(of: binaries)
    try results.write(
      DuetEnvironment(
        .capture(storesIn: folder, scenarios: binaries.scenarios), request, DuetRule()))
    let course = try await measure(request, results, interrupts)
    let report = try report(course, results.csv?.path ?? "-")
    let text = try report.render(as: format, style: .standardOutput)
    try show(text, to: results)
    let cells = Side.allCases.flatMap(course.cells)
    let verdict = ExitStatus(rawValue: report.result.outcome.exitStatus) ?? .failed
    throw ExitCode(.worst([verdict, .of(cells, isInterrupted: interrupts.isInterrupted)]))
  }

  private func request(
    _ binaries: DuetBinaries, in folder: URL, _ limit: Duration, _ interrupts: Interrupts
  ) async throws -> PairRequest {
    var request = PairRequest(
      binaries: binaries, variants: try options.variants(binaries), seed: options.targets.seed,
      folder: folder, timeLimit: limit)
    for side in Side.allCases {
      request.callgrinds[side] = try await Callgrind.prepare(
        binaries[side].path, in: folder, as: "program-\(side == .baseline ? "b" : "c")",
        interrupts: interrupts)
    }
    return request
  }

  /// Rows in a file leave standard output to the text.
  private func show(_ text: String, to results: ResultsFile) throws {
    guard let csv = results.csv else { return Messages.show(text) }
    try StandardOutput().write(text)
    if !files.messages.quiet { Messages.say("Rows: \(csv.path)") }
  }

  private func measure(
    _ request: PairRequest, _ results: ResultsFile, _ interrupts: Interrupts
  ) async throws -> CountCourse {
    try await ProgressDisplay.show(if: files.messages.showsProgress) { display in
      var course = CountCourse(targets: request.variants.count)
      try await PairRunner(request, interrupts: interrupts, observer: display).run(
        &course, keep: { try results.append($0) })
      return course
    }
  }

  private func report(_ course: CountCourse, _ file: String) throws -> GateReport {
    var policy = Policy()
    policy.gated = try Metrics.named(options.metric, among: Comparison.allMetrics)
    let gate = Gate(policy: policy, today: .today)
    let metrics = gate.shown + [.rawSQLite, .sync]
    let matching = Matching(
      baseline: SideCells(course.cells(of: .baseline), keeping: metrics),
      candidate: SideCells(course.cells(of: .candidate), keeping: metrics))
    return GateReport(
      gate.judge(matching),
      Comparison(matching, baselineFiles: [file], candidateFiles: [file], metrics: gate.shown))
  }

  private func format() throws -> GateReport.Format {
    guard let format = GateReport.Format(rawValue: files.format.rawValue) else {
      throw UsageError("--format \(files.format.rawValue): not with --count; name table or json")
    }
    return format
  }
}
