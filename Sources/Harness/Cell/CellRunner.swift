import Baseline
import Foundation
import Measurement
import Queues
import Repeats
import SQLiteStore
import Support
package import Topologies
package import Workload

package struct CellRunner: Sendable {
  private let topologies: [TopologyDescriptor]
  private let baselineRuns: (before: Int, after: Int)

  /// - Parameter baselineRuns: before and after the repeats. Tests use fewer.
  package init(topologies: [TopologyDescriptor], baselineRuns: (before: Int, after: Int) = (5, 4)) {
    self.topologies = topologies
    self.baselineRuns = baselineRuns
  }

  /// - Parameter workload: the specification's work; nil to read it.
  /// - Returns: the cell's document. An error is not thrown, but stored in the document's row.
  package func run(
    _ specification: CellSpecification, of workload: Workload? = nil
  ) async -> CellDocument {
    let startedAt = Date().formatted(.iso8601)
    var document = CellDocument(
      specification: specification,
      result: CellResult(specification, startedAt: startedAt, status: .ok))
    do {
      let cell = try prepare(specification, workload)
      document.result.describe(cell)
      try await cell.storage.whileInUse { try await measure(cell, into: &document) }
    } catch {
      let named = StoreError.naming(specification.folder, in: error)
      document.result.fail(.crashed, FileError.message(named))
    }
    return document
  }

  private func measure(_ cell: PreparedCell, into document: inout CellDocument) async throws {
    let folder = URL(fileURLWithPath: document.specification.folder, isDirectory: true)
    let files = try CellFiles(
      folder, cell: cell,
      sharing: document.specification.templates.map { URL(fileURLWithPath: $0) })
    guard cell.counted == nil else { return try await count(cell, files, into: &document) }
    var raw = try RawBaseline(cell, files: files)
    let runs = document.specification.baselineRuns.map { (before: 0, after: $0) } ?? baselineRuns
    try raw.run(times: runs.before)
    var recordings = document.specification.recordTo.map { _ in CellRecordings() }
    let (repeats, peak) = try await repeatWork(
      cell, files, baseline: raw.spent, into: &document, &recordings)
    try raw.run(times: runs.after)
    document.conclude(cell, repeats, raw: raw.milliseconds, files: files, peak: peak)
    try recordings?.write(of: document, store: files.last)
  }

  private func count(
    _ cell: PreparedCell, _ files: CellFiles, into document: inout CellDocument
  ) async throws {
    var runner = RepeatRunner(
      cell: cell, store: try files.freshStore(), number: 0,
      expectation: cell.expectationsFreeingRows().settled, isWarmUp: true, progress: files.progress)
    _ = try await runner.run { _ in }
    runner.isWarmUp = false
    runner.store = try files.freshStore()
    let outcome = try await runner.run { _ in }
    try files.finish(keepingAt: document.specification.keepStore)
    document.result.finish([outcome], metrics: cell.countMetrics(outcome), isCounted: true)
  }

  /// - Parameters:
  ///   - baseline: the baseline's time so far in ms, which is no part of the startup.
  ///   - recordings: nil to record none. The number of repeats is otherwise odd, so that one is the
  ///     median.
  /// - Returns: the repeats, and the peak memory before the opened lists are compared.
  private func repeatWork(
    _ cell: PreparedCell, _ files: CellFiles, baseline: Double,
    into document: inout CellDocument, _ recordings: inout CellRecordings?
  ) async throws -> (repeats: [RepeatOutcome], peak: Double?) {
    let expected = cell.expectationsFreeingRows()
    var outcomes: [RepeatOutcome] = []
    var measured = 0.0
    let most = document.specification.mostRepeats ?? Self.mostRepeats
    repeat {
      let store = try files.freshStore()
      let timeline = recordings == nil ? nil : Timeline()
      let runner = RepeatRunner(
        cell: cell, store: store, number: outcomes.count, expectation: expected.settled,
        timeline: timeline, prices: cell.prices.isEmpty ? nil : Prices(cell.prices),
        progress: files.progress)
      let outcome = try await runner.run { loaded in
        guard document.startup == nil else { return }
        document.startup = document.specification.spawnedAt.map {
          Double(loaded.nanoseconds - $0) / 1e6 - baseline
        }
      }
      outcomes.append(outcome)
      measured += outcome.length
      if let timeline { recordings?.add(timeline, outcome) }
    } while outcomes.last?.wrong == nil
      && (measured < cell.scenario.repeatFor.milliseconds && outcomes.count < most
        || recordings != nil && outcomes.count.isMultiple(of: 2))
    try files.finish(keepingAt: document.specification.keepStore)
    let peak = ProcessUse.peakRSSMiB
    if let opened = expected.opened, outcomes.last?.wrong == nil {
      let runner = RepeatRunner(
        cell: cell, store: try files.freshStore(), number: 0, expectation: opened)
      outcomes[outcomes.count - 1].wrong = try await runner.differenceWhenOpened()
    }
    return (outcomes, peak)
  }

  /// Limits the repeats of a scenario whose windows take next to no time.
  static let mostRepeats = 400

  private func prepare(
    _ specification: CellSpecification, _ made: Workload?
  ) throws -> PreparedCell {
    try specification.validateRuns()
    let workload = try made ?? Workload.make(specification.loadScenario(), seed: specification.seed)
    let scenario = workload.scenario
    guard let topology = topologies.first(where: { $0.name == specification.topology }) else {
      let known = topologies.map(\.name).joined(separator: ", ")
      throw HarnessError("unknown topology \(specification.topology.quoted). Known: \(known)")
    }
    if let reason = topology.refusal(of: scenario.workKinds) {
      throw HarnessError("topology '\(topology.name)' cannot do '\(scenario.name)': \(reason)")
    }
    guard let mode = StoreMode(rawValue: specification.store) else {
      throw HarnessError("unknown store mode \(specification.store.quoted). Known: pool, serial")
    }
    guard workload.digest == specification.scenarioDigest else {
      throw HarnessError(
        "\(specification.scenarioFile) or its data changed since the run was planned;"
          + " start the run again")
    }
    return try PreparedCell(
      workload, topology: topology, storeMode: mode, counted: specification.countedSlices(),
      countsAskedPhase: specification.counted == Callgrind.askedPhase)
  }
}

extension CellDocument {
  fileprivate mutating func conclude(
    _ cell: PreparedCell, _ repeats: [RepeatOutcome], raw: [Double], files: CellFiles,
    peak: Double?
  ) {
    windows = repeats.map(\.sample)
    rawSQLite = raw
    var process = ProcessSample()
    process.rawSQLite = raw
    process.sync = files.syncMilliseconds
    process.storeMiB = files.lastStoreMiB
    process.selfCheckUnexplained = ClockAgreement(repeats.map(\.clocks)).unexplainedMilliseconds
    ProcessUse.note(in: &process)
    process.peakRSSMiB = peak
    let metrics = CellMetrics(
      samples: windows, horizon: cell.scenario.horizon.milliseconds, process: process,
      asksAbout: cell.scenario.asksAbout.rawValue)
    unsteadyCounts = metrics.unsteadyCounts
    result.finish(repeats, metrics: metrics.values)
  }
}

extension PreparedCell {
  fileprivate func countMetrics(_ outcome: RepeatOutcome) -> MetricValues {
    var metrics = MetricValues()
    for count in Metrics.exactCounts {
      metrics[count] = outcome.sample.count(count).map(Double.init)
    }
    metrics[label: .asksAbout] = scenario.asksAbout.rawValue
    if topology.dependsOnTiming {
      let counts = Metrics.exactCounts + Metric.instructions
      metrics[label: .unsteadyCounts] = counts.map(\.name).joined(separator: " ")
    }
    return metrics
  }
}

extension CellRecordings {
  fileprivate func write(of document: CellDocument, store: URL?) throws {
    guard let path = document.specification.recordTo,
      let timeline = median(of: document.result, store: store)
    else { return }
    try FileSystem.write(
      JSONEncoder.sorted().encode(timeline), to: URL(fileURLWithPath: path), force: true)
  }
}
