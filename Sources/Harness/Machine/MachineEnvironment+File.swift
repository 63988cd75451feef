import Foundation
package import Judging

extension MachineEnvironment {
  /// Nil if no readable environment file lies beside the report.
  package init?(besides report: String) {
    guard report != "-",
      let data = try? Data(contentsOf: ResultsFile.environment(of: URL(fileURLWithPath: report))),
      let found = try? JSONDecoder().decode(MachineEnvironment.self, from: data)
    else { return nil }
    self = found
  }

  /// Includes the readings of other shards.
  package static func readings(besides reports: [String]) -> [MachineReading] {
    reports.compactMap(MachineEnvironment.init).flatMap { environment in
      [environment.reading] + (environment.otherMachines ?? []).map(\.reading)
    }
  }

  package struct Resumption: Codable, Sendable, Equatable {
    package var at: String
    package var syncMs: Double?
    package var wakeUpLatencyMs: Double?
    package var loadAverage: String
    package var stealPercent: String

    enum CodingKeys: String, CodingKey {
      case at
      case syncMs = "sync_ms"
      case wakeUpLatencyMs = "wake_up_latency_ms"
      case loadAverage = "load_average"
      case stealPercent = "steal_percent"
    }
  }

  func resumed(in now: MachineEnvironment) -> MachineEnvironment {
    let resumption = Resumption(
      at: Date().formatted(.iso8601), syncMs: now.syncMs, wakeUpLatencyMs: now.wakeUpLatencyMs,
      loadAverage: now.loadAverage, stealPercent: now.stealPercent)
    var result = self
    result.resumptions = (resumptions ?? []) + [resumption]
    return result
  }

  func changes(to now: MachineEnvironment) -> [String] {
    zip(constants, now.constants).compactMap { before, after in
      before.value == after.value
        ? nil : "\(before.name) was '\(before.value)', is '\(after.value)'"
    }
  }

  /// The values that must stay the same in one run. The machine's values come first.
  private var constants: [(name: String, value: String)] {
    let pragmas = pragmas.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return [
      ("host_id", hostID), ("cpu", cpu), ("cores", "\(cores)"), ("memory_mib", memoryMiB),
      ("os", os), ("kernel", kernel), ("governor", governor),
      ("turbo", turbo ?? Machine.unavailable),
      // A build that did not record this could not keep processors awake.
      ("processors_kept_awake", "\(keepsAwake ?? false)"), ("topobench", topobench),
      ("git_sha", gitSHA), ("build", build), ("swift", swift),
      ("binary", binary ?? Machine.unavailable), ("sqlite", sqlite),
      ("sqlite_compile_options", sqliteCompileOptions.joined(separator: " ")),
      ("pragmas", pragmas.joined(separator: " ")), ("store_file_system", storeFileSystem),
    ]
  }
}
