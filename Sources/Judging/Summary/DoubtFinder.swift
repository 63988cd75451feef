import Measurement

/// Looks through a section for what makes its answer doubtful, the gravest first.
struct DoubtFinder {
  let cells: [CellResult]
  let ok: [CellResult]
  let topologies: [TopologySummary]
  let spread: Double?
  let sync: Estimate?
  let trialsNeeded: Int
  let context: Summary.Context

  /// Above this relative spread, differences of a fifth get lost in few trials.
  static let noisySpread = 0.1
  /// A phone's flash needs milliseconds for a sync.
  static let phoneSync = 1.0
  /// Above this load for each core, somebody else is at work.
  static let busyLoad = 0.5
  static let noticeableShare = 0.1
  /// In ms: the interval of the heartbeat.
  static let lateWakeUp = 1.0

  func doubts() -> [Doubt] {
    correctness() + completeness() + machine() + context.remarks.map(Doubt.remark)
  }

  private func correctness() -> [Doubt] {
    var doubts: [Doubt] = []
    // Another seed is other work.
    let bySeed = Dictionary(grouping: ok.filter { !$0.fingerprint.isEmpty }, by: \.seed)
    let fingerprints = bySeed.values.map { Set($0.map(\.fingerprint)).count }.max() ?? 0
    if fingerprints > 1 { doubts.append(.unequalWork(fingerprints: fingerprints)) }
    for topology in topologies {
      for failure in topology.failures {
        doubts.append(
          .notOk(topology: topology.name, status: failure.status, cells: failure.cells))
      }
    }
    return doubts + unsteadyCounts()
  }

  private func unsteadyCounts() -> [Doubt] {
    topologies.compactMap { topology in
      let cells = ok.filter { $0.topology == topology.name }
      let names = Metrics.exactCounts.filter { name in
        let bySeed = Dictionary(grouping: cells, by: \.seed)
        return bySeed.values.contains { Set($0.map { $0.metrics[name] }).count > 1 }
          || cells.contains { $0.hasUnsteadyCount(name) }
      }
      return names.isEmpty ? nil : .unsteadyCounts(topology: topology.name, names: names)
    }
  }

  private func completeness() -> [Doubt] {
    var doubts: [Doubt] = []
    let fewest = topologies.filter { $0.okCells > 0 }.map(\.okCells).min() ?? 0
    if fewest < trialsNeeded {
      doubts.append(.fewTrials(trials: fewest, needed: trialsNeeded))
    }
    if let planned = context.plannedCells, planned > cells.count {
      doubts.append(.incomplete(measured: cells.count, planned: planned))
    }
    for topology in topologies {
      let own = ok.filter { $0.topology == topology.name }
      if own.count(where: \.exceedsHorizon) * 2 > own.count {
        doubts.append(.beyondHorizon(topology: topology.name))
      }
    }
    return doubts
  }

  private func machine() -> [Doubt] {
    var doubts: [Doubt] = []
    if context.isDebugBuild { doubts.append(.debugBuild) }
    let hosts = Set(ok.map(\.hostID)).count
    if hosts > 1 { doubts.append(.severalMachines(hosts: hosts)) }
    if let load = context.load, let cores = context.cores, cores > 0,
      load / Double(cores) > Self.busyLoad
    {
      doubts.append(.busyMachine(load: load, cores: cores))
    }
    if let spread, spread > Self.noisySpread { doubts.append(.noisy(spread: spread)) }
    if let share = runqueueShare, share > Self.noticeableShare {
      doubts.append(.shortOfCores(share: share))
    }
    if let late = median("heartbeat_wake_p99_ms"), late > Self.lateWakeUp {
      doubts.append(.slowWakeUps(milliseconds: late))
    }
    if let sync, sync.median < Self.phoneSync {
      doubts.append(.fastSync(milliseconds: sync.median))
    }
    return doubts
  }

  private var runqueueShare: Double? {
    Statistics.median(
      ok.compactMap { cell in
        guard let queued = cell.metrics["main_runqueue_ms"],
          let blocked = cell.metrics["main_blocked_ms"], blocked > 0
        else { return nil }
        return queued / blocked
      })
  }

  private func median(_ metric: String) -> Double? {
    Statistics.median(ok.compactMap { $0.metrics[metric] })
  }
}

extension CellResult {
  fileprivate func hasUnsteadyCount(_ name: String) -> Bool {
    metrics[label: "unsteady_counts"]?.split(separator: " ").contains { $0 == name } ?? false
  }
}
