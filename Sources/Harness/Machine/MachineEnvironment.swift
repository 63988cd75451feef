package import Foundation
package import Judging
import Measurement
import SQLiteStore
package import Workload

/// The machine, the build and the options of a run, for `NAME.env.json`. Unknown values are
/// "unavailable".
package struct MachineEnvironment: Codable, Sendable {
  package var schema = CellResult.schema
  package var runID: String?
  package var topobench: String
  /// A digest of the measuring program; nil in files of older versions.
  package var binary: String?
  package var gitSHA: String
  package var build: String
  package var swift: String
  package var sqlite: String
  package var sqliteCompileOptions: [String]
  package var pragmas: [String: String]
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
  // The next fields are nil in files of older builds.
  /// `on` or `off`.
  package var turbo: String?
  package var addressRandomisation: String?
  package var availableMemoryMiB: String?
  package var memoryPressurePercent: String?
  package var runQueueDelayPercent: String?
  package var isVirtual: Bool?
  package var keepsAwake: Bool?
  /// Running or runnable threads of other processes, without those at SCHED_IDLE.
  package var competingThreads: Double?
  package var dependencies: [String: String]?
  package var architecture: String?
  package var cLibrary: String?
  package var diagnoses: [Diagnosis]?
  package var commandLine: [String]
  package var scenarios: [[String: String]]
  /// The scenarios' settings that decide the answers; nil in files of older versions.
  package var choices: [ScenarioChoices]?
  package var resumptions: [Resumption]?
  package var otherMachines: [MachineEnvironment]?

  enum CodingKeys: String, CodingKey {
    case schema, topobench, build, swift, sqlite, pragmas, durable, os, kernel, cpu, cores
    case governor, scenarios, choices, turbo, diagnoses, binary, resumptions, dependencies
    case architecture
    case cLibrary = "c_library"
    case runID = "run_id"
    case otherMachines = "other_machines"
    case gitSHA = "git_sha"
    case sqliteCompileOptions = "sqlite_compile_options"
    case hostID = "host_id"
    case memoryMiB = "memory_mib"
    case storeFileSystem = "store_file_system"
    case syncMs = "sync_ms"
    case wakeUpLatencyMs = "wake_up_latency_ms"
    case loadAverage = "load_average"
    case stealPercent = "steal_percent"
    case addressRandomisation = "address_randomisation"
    case availableMemoryMiB = "available_memory_mib"
    case memoryPressurePercent = "memory_pressure_percent"
    case runQueueDelayPercent = "run_queue_delay_percent"
    case isVirtual = "virtual_machine"
    case keepsAwake = "processors_kept_awake"
    case competingThreads = "competing_threads"
    case commandLine = "command_line"
  }

  package static func capture(
    version: String, gitSHA: String, storesIn folder: URL, scenarios: [Scenario],
    keepsAwake: Bool = false
  ) -> MachineEnvironment {
    let probe = folder.appendingPathComponent("environment-probe.sqlite")
    let configuration = StoreConfiguration(url: probe, mode: .pool)
    let pragmas = (try? StoreEnvironment.pragmas(of: configuration)) ?? [:]
    try? StoreFile.remove(at: probe)
    let reading = MachineProbe.reading(storesIn: folder, keepsAwake: keepsAwake)
    var environment = MachineEnvironment(
      topobench: version, binary: Machine.digest(of: "/proc/self/exe"),
      gitSHA: gitSHA.isEmpty ? Machine.unavailable : gitSHA,
      build: Machine.build, swift: Machine.swiftVersion, sqlite: StoreEnvironment.sqliteVersion,
      sqliteCompileOptions: StoreEnvironment.compileOptions, pragmas: pragmas,
      durable: StoreEnvironment.guarantee(of: pragmas),
      hostID: Machine.hostID, os: Machine.os, kernel: Machine.kernel, cpu: Machine.cpu,
      cores: Machine.cores, governor: Machine.governor, memoryMiB: Machine.memoryMiB,
      storeFileSystem: Machine.fileSystem(of: folder), syncMs: reading.sync,
      wakeUpLatencyMs: reading.wakeUp, loadAverage: Machine.loadAverage,
      stealPercent: Machine.stealPercent, dependencies: Machine.dependencies,
      architecture: Machine.architecture, cLibrary: Machine.cLibrary,
      commandLine: CommandLine.arguments, scenarios: scenarios.map(\.described))
    environment.note(reading)
    environment.choices = scenarios.map { scenario in
      ScenarioChoices(
        scenario: scenario.name, parameters: scenario.parametersJSON,
        choices: scenario.choices(keepsAwake: keepsAwake))
    }
    return environment
  }

  private mutating func note(_ reading: MachineReading) {
    turbo = Self.text(reading.turbo)
    addressRandomisation = Self.text(reading.randomisesAddresses)
    availableMemoryMiB = Self.text(reading.availableMiB, digits: 0)
    memoryPressurePercent = Self.text(reading.memoryPressure, digits: 2)
    runQueueDelayPercent = Self.text(reading.runQueueShare.map { $0 * 100 }, digits: 2)
    (isVirtual, keepsAwake) = (reading.isVirtual, reading.keepsAwake)
    competingThreads = reading.competing
    diagnoses = reading.diagnoses
  }

  package var reading: MachineReading {
    var reading = MachineReading()
    reading.build = build.unlessUnavailable
    reading.kernel = kernel.unlessUnavailable
    reading.sqlite = sqlite.unlessUnavailable
    reading.toolchain = toolchain
    reading.cores = cores
    (reading.isVirtual, reading.keepsAwake) = (isVirtual, keepsAwake)
    reading.competing = competingThreads
    reading.load = loadAverage.split(separator: " ").first.flatMap { Double($0) }
    reading.steal = Double(stealPercent)
    reading.governor = governor.unlessUnavailable
    reading.turbo = Self.isOn(turbo)
    reading.randomisesAddresses = Self.isOn(addressRandomisation)
    reading.wakeUp = wakeUpLatencyMs
    reading.runQueueShare = Self.number(runQueueDelayPercent).map { $0 / 100 }
    reading.fileSystem = storeFileSystem.unlessUnavailable
    reading.sync = syncMs
    reading.memoryMiB = Double(memoryMiB)
    reading.availableMiB = Self.number(availableMemoryMiB)
    reading.memoryPressure = Self.number(memoryPressurePercent)
    reading.isPriced = choices?.contains { setting in
      setting.choices.contains { $0.hasPrefix(RunContext.priced) }
    }
    return reading
  }

  /// The properties that instruction counts depend on; nil if unknown.
  private var toolchain: String? {
    guard let architecture, let cLibrary else { return nil }
    let packages = (dependencies ?? [:]).sorted { $0.key < $1.key }.map { "\($0) \($1)" }
    return ([build, swift, architecture, sqlite, cLibrary] + packages).joined(separator: ", ")
  }

  private static func text(_ isOn: Bool?) -> String {
    isOn.map { $0 ? "on" : "off" } ?? Machine.unavailable
  }

  private static func text(_ value: Double?, digits: Int) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? Machine.unavailable
  }

  private static func isOn(_ text: String?) -> Bool? { text?.unlessUnavailable.map { $0 == "on" } }

  private static func number(_ text: String?) -> Double? { text.flatMap { Double($0) } }

  package var defaults: [Setting: [String]] {
    let all = (choices ?? []).map { one in
      (Setting(scenario: one.scenario, parameters: one.parameters), one.choices)
    }
    return Dictionary(all) { first, _ in first }
  }
}

extension Scenario {
  fileprivate var described: [String: String] {
    Dictionary(fields.map { ($0.path, $0.value.json) }, uniquingKeysWith: { first, _ in first })
  }
}
