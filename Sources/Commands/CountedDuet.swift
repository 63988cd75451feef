import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports

/// Counts instructions of both builds. A gate judges the counts.
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
    guard let prepared = try await prepare(interrupts) else { throw ExitCode(.interrupted) }
    defer { prepared.clean() }
    let course = try await prepared.measure(
      CountCourse(targets: prepared.request.variants.count), interrupts)
    let report = try report(course, prepared.results.csv?.path ?? "-")
    let text = try report.render(as: format, style: .standardOutput)
    try show(text, to: prepared.results)
    let cells = Side.allCases.flatMap(course.cells)
    let verdict = report.result.outcome.exitStatus
    throw ExitCode(.worst([verdict, .of(cells, isInterrupted: interrupts.isInterrupted)]))
  }

  private func prepare(_ interrupts: Interrupts) async throws -> PreparedDuet? {
    try await PreparedDuet(
      options, files, rule: { _ in DuetRule() }, interrupts: interrupts
    ) { request in
      for side in Side.allCases {
        request.callgrinds[side] = try await Callgrind.prepare(
          request.binaries[side].path, in: request.folder,
          as: "program-\(side == .baseline ? "b" : "c")", interrupts: interrupts)
      }
    }
  }

  /// Prints on standard output, unless the rows fill it.
  private func show(_ text: String, to results: ResultsFile) throws {
    guard let csv = results.csv else { return Messages.show(text) }
    try StandardOutput().write(text)
    if !files.messages.quiet { Messages.say("Rows: \(csv.path)") }
  }

  private func report(_ course: CountCourse, _ file: String) throws -> GateReport {
    var policy = Policy()
    policy.gated = try Metrics.named(options.metric, among: Comparison.allMetrics)
    let gate = Gate(policy: policy, times: .gate, today: .today)
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
