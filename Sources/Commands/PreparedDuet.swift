import Foundation
import Harness
import Judging
import Measurement
import Reports
import Workload

struct PreparedDuet {
  let request: PairRequest
  let results: ResultsFile
  private let files: DuetFileOptions
  private let rule: DuetRule
  private let environment: MachineEnvironment

  /// - Parameters:
  ///   - rule: for so many targets.
  ///   - complete: completes the request before a file is written.
  /// - Returns: nil after an interrupt.
  init?(
    _ options: DuetOptions, _ files: DuetFileOptions, keepsAwake: Bool = false,
    rule: (_ targets: Int) throws -> DuetRule, interrupts: Interrupts,
    complete: (inout PairRequest) async throws -> Void = { _ in }
  ) async throws {
    self.files = files
    let limit = files.limit.duration
    guard let binaries = try await options.binaries(limit, interrupts) else { return nil }
    let variants = try options.variants(binaries)
    let rule = try rule(variants.count)
    self.rule = rule
    var request = PairRequest(
      binaries: binaries, variants: variants, seed: options.targets.seed,
      folder: try files.storage.makeFolder(), timeLimit: limit)
    request.hasFullRepeats = rule.metrics.contains(where: Metric.heartbeats.contains)
    do {
      try await complete(&request)
      results = try files.results(of: binaries)
      environment = .capture(
        storesIn: request.folder, scenarios: binaries.scenarios, keepsAwake: keepsAwake)
      if let side = files.record, let csv = results.csv {
        request.recording = (side, csv.absoluteURL)
      }
      self.request = request
      try results.write(DuetEnvironment(environment, request, rule))
    } catch {
      RunFolder.remove(request.folder)
      throw error
    }
  }

  func clean() { RunFolder.remove(request.folder) }

  func measureTimes(_ interrupts: Interrupts) async throws -> SequentialTest {
    try await measure(SequentialTest(targets: request.targets, rule: rule), interrupts)
  }

  func measure<Course: PairCourse>(
    _ course: Course, _ interrupts: Interrupts
  ) async throws -> Course {
    try await ProgressDisplay.show(if: files.messages.showsProgress) { display in
      var course = course
      try await PairRunner(request, interrupts: interrupts, observer: display).run(
        &course, keep: { try results.keep($0) },
        tell: { phase, pairs in
          guard !files.messages.quiet, phase != .count else { return }
          let text = "\(phase.title): \(pairs) pair\(pairs == 1 ? "" : "s")"
          display.say(text)
        })
      return course
    }
  }

  /// Also writes the environment file again, with the duet's size.
  func conclude(_ course: SequentialTest) throws -> DuetReport {
    let binaries = request.binaries
    let report = DuetReport(
      course, baseline: binaries.baseline.build, candidate: binaries.candidate.build,
      areIdentical: binaries.areIdentical, seed: request.seed,
      diagnoses: binaries.diagnoses + environment.machineDiagnoses,
      keepsAwake: environment.machine.keepsAwake ?? false)
    try results.write(DuetEnvironment(environment, request, rule, sizes: course.sizes))
    return report
  }

  /// Prints the answer on standard output and the rows' path on standard error.
  func answer(_ report: DuetReport, _ course: SequentialTest) throws {
    if !course.isOver {
      Messages.say("Interrupted: \(course.cells.count / 2) whole pairs are kept.")
    }
    guard let csv = results.csv else {
      // Standard output holds the rows.
      return Messages.show(try DuetAnswer.render(report, [], as: .table, style: .standardError))
    }
    defer { if !files.messages.quiet { Messages.say("Rows: \(csv.path)") } }
    guard !course.cells.isEmpty else { return }
    try StandardOutput().write(
      DuetAnswer.render(report, course.cells, as: files.format, style: .standardOutput))
  }
}

extension DuetFileOptions {
  fileprivate func results(of binaries: DuetBinaries) throws -> ResultsFile {
    let names = binaries.scenarios.map { "duet-\($0.scenario.name)" }
    return try ResultsFile(
      path: output ?? ResultsFile.defaultPath(scenarios: names, at: Date()), force: force)
  }
}

extension DuetOptions {
  /// Nil after an interrupt.
  fileprivate func binaries(
    _ timeLimit: Duration, _ interrupts: Interrupts
  ) async throws -> DuetBinaries? {
    try await DuetBinaries.ask(
      baseline: URL(fileURLWithPath: baselineBinary).path,
      candidate: URL(fileURLWithPath: candidateBinary).path,
      about: targets.scenarioRequest(smoke ? .smoke : .full).load().map(\.scenario),
      seed: targets.seed,
      timeLimit: timeLimit, interrupts: interrupts)
  }

  /// - Throws: `UsageError` if `--most-pairs` is too small to judge so many metrics.
  func rule(targets: Int) throws -> DuetRule {
    var rule = DuetRule()
    let inexact = self.inexact.compactMap(Metrics.named)
    rule.counts.removeAll(where: inexact.contains)
    let added = try Metrics.named(metric, among: Comparison.allMetrics) + inexact
    for metric in added where !(rule.metrics + rule.counts).contains(metric) {
      rule.metrics.append(metric)
    }
    let mostPairs = mostPairs ?? 80
    rule.limit(toPairs: mostPairs)
    let fewest = rule.fewestPairs(targets: targets)
    guard mostPairs >= fewest else {
      throw UsageError(
        "--most-pairs: \(mostPairs) pairs cannot judge \(rule.family(targets: targets)) times"
          + " together; \(fewest) are the fewest that can")
    }
    return rule
  }
}

extension DuetBinary {
  fileprivate var build: DuetReport.Build {
    DuetReport.Build(
      path: path, topobench: check.topobench, commit: check.gitSHA, build: check.build)
  }
}

extension MachineEnvironment {
  /// The machine's diagnoses, without those of this build, which measures nothing.
  fileprivate var machineDiagnoses: [Diagnosis] {
    var machine = machine
    machine.build = nil
    return machine.diagnoses
  }
}

extension DuetPhase {
  fileprivate var title: String {
    switch self {
    case .spread: "First pairs"
    case .first: "To the first look"
    case .second: "To the second look"
    case .confirmation: "Fresh pairs to confirm regressions"
    case .count: "Counted"
    }
  }
}
