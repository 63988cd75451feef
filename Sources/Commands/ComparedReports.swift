import ArgumentParser
import Harness
import Judging
import Measurement
import Reports

struct ComparedReports {
  let matching: Matching
  let diagnoses: [Diagnosis]
  /// Whether both sides have one compiler, architecture and set of libraries.
  let isSameToolchain: Bool

  /// One for each candidate.
  ///
  /// - Throws: `ExitCode`, as `both` does, after messages.
  static func all(
    baseline: [String], candidates: [[String]], keeping metrics: [Metric], only: [String] = []
  ) async throws -> [ComparedReports] {
    // Reads all sides at once, because each may have a million rows.
    async let first = read(.baseline) {
      try ReportReader.side(baseline, keeping: metrics, only: only)
    }
    let others = await withTaskGroup(of: (Int, SideCells?).self) { group in
      for (index, files) in candidates.enumerated() {
        group.addTask {
          (index, read(.candidate) { try ReportReader.side(files, keeping: metrics, only: only) })
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let isWhole = others.count == candidates.count
    let (before, sides) = try await both(baseline: first, candidate: isWhole ? others : nil)
    return candidates.enumerated().compactMap { index, files in
      sides[index].map {
        ComparedReports(Matching(baseline: before, candidate: $0), [baseline, files])
      }
    }
  }

  private init(_ matching: Matching, _ files: [[String]]) {
    self.matching = matching
    let readings = files.map { MachineEnvironment.readings(besides: $0) }
    diagnoses = MachineDifferences.diagnoses(baseline: readings[0], candidate: readings[1])
    let toolchains = readings.map { Set($0.map(\.toolchain)) }
    isSameToolchain =
      toolchains[0] == toolchains[1] && toolchains[0].count == 1 && toolchains[0] != [nil]
  }

  /// - Throws: `ExitCode` 1.
  init(duet: String, keeping metrics: [Metric], only: [String] = []) throws {
    let sides = Self.read(nil) {
      try ReportReader.sides(ofDuet: duet, keeping: metrics, only: only)
    }
    guard let sides else { throw ExitCode(.failed) }
    matching = Matching(baseline: sides.baseline, candidate: sides.candidate)
    isSameToolchain = true
    let readings = MachineEnvironment.readings(besides: [duet])
    diagnoses = MachineDifferences.diagnoses(baseline: readings, candidate: readings)
  }

  /// Called after both sides were read, so that the mistakes of both are shown.
  ///
  /// - Throws: `ExitCode`: 5 without a baseline, 1 without a candidate, which counts first.
  static func both<Baseline, Candidate>(
    baseline: Baseline?, candidate: Candidate?
  ) throws -> (baseline: Baseline, candidate: Candidate) {
    guard let baseline, let candidate else {
      throw ExitCode(candidate == nil ? .failed : .baseline)
    }
    return (baseline, candidate)
  }

  /// - Returns: nil after a message if the reports cannot be read.
  static func read<Result: Sendable>(
    _ role: Side?, _ body: @Sendable () throws -> Result
  ) -> Result? {
    do {
      return try body()
    } catch {
      let place = role.map { "\($0.rawValue): " } ?? ""
      Messages.say("Error: \(place)\(error)")
      return nil
    }
  }
}
