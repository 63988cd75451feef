package import Foundation
import SQLiteStore
package import Workload

/// Where and how a run was made, for `NAME.env.json`. What the machine does not tell is
/// "unavailable".
package struct MachineEnvironment: Codable, Sendable {
  package var schema = "topobench/1"
  package var topobench: String
  package var gitSHA: String
  package var build: String
  package var swift: String
  package var sqlite: String
  package var sqliteCompileOptions: [String]
  package var pragmas: [String: String]
  /// What a commit had promised when it was called durable.
  package var durable: String
  package var hostID: String
  package var os: String
  package var kernel: String
  package var cpu: String
  package var cores: Int
  package var governor: String
  package var memoryMiB: String
  package var storeFileSystem: String
  package var syncMs: Double?
  package var wakeUpLatencyMs: Double?
  package var loadAverage: String
  package var stealPercent: String
  package var commandLine: [String]
  package var scenarios: [[String: String]]

  enum CodingKeys: String, CodingKey {
    case schema, topobench, build, swift, sqlite, pragmas, durable, os, kernel, cpu, cores
    case governor, scenarios
    case gitSHA = "git_sha"
    case sqliteCompileOptions = "sqlite_compile_options"
    case hostID = "host_id"
    case memoryMiB = "memory_mib"
    case storeFileSystem = "store_file_system"
    case syncMs = "sync_ms"
    case wakeUpLatencyMs = "wake_up_latency_ms"
    case loadAverage = "load_average"
    case stealPercent = "steal_percent"
    case commandLine = "command_line"
  }

  /// Asks the machine.
  ///
  /// - Parameter folder: where the stores will lie.
  package static func capture(
    version: String, gitSHA: String, storesIn folder: URL, scenarios: [Scenario]
  ) -> MachineEnvironment {
    let probe = folder.appendingPathComponent("environment-probe.sqlite")
    let configuration = StoreConfiguration(url: probe, mode: .pool)
    let pragmas = (try? StoreEnvironment.pragmas(of: configuration)) ?? [:]
    try? StoreFile.remove(at: probe)
    return MachineEnvironment(
      topobench: version, gitSHA: gitSHA.isEmpty ? Machine.unavailable : gitSHA,
      build: Machine.build, swift: Machine.swiftVersion, sqlite: StoreEnvironment.sqliteVersion,
      sqliteCompileOptions: StoreEnvironment.compileOptions, pragmas: pragmas,
      durable: "committed to the WAL; synchronous=NORMAL syncs at checkpoints only",
      hostID: Machine.hostID, os: Machine.os, kernel: Machine.kernel, cpu: Machine.cpu,
      cores: Machine.cores, governor: Machine.governor, memoryMiB: Machine.memoryMiB,
      storeFileSystem: Machine.fileSystem(of: folder), syncMs: SyncTime.median(in: folder),
      wakeUpLatencyMs: Machine.wakeUpLatency, loadAverage: Machine.loadAverage,
      stealPercent: Machine.stealPercent, commandLine: CommandLine.arguments,
      scenarios: scenarios.map(\.described))
  }
}

extension Scenario {
  /// Every field and its value.
  fileprivate var described: [String: String] {
    Dictionary(
      fields.map { ($0.path, $0.value.json) }, uniquingKeysWith: { first, _ in first })
  }
}
