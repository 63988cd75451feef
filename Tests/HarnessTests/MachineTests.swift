import Foundation
import Judging
import Measurement
import SQLiteStore
import Testing
import Workload

@testable import Harness

@Suite struct MachineTests {
  @Test func `the environment file has every documented field`() throws {
    let folder = TemporaryFolder()
    let scenarios = try Scenario.load(
      file: "\(ScenarioLibrary.sourceTree)/Scenarios/5000-cities.yaml", set: ["horizon_ms=250"])
    let environment = MachineEnvironment.capture(
      version: "1.2.3", gitSHA: "", storesIn: folder.url, scenarios: scenarios)
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(environment))
    let fields = try #require(json as? [String: Any])
    for name in [
      "schema", "topobench", "git_sha", "build", "swift", "sqlite", "sqlite_compile_options",
      "pragmas", "durable", "host_id", "os", "kernel", "cpu", "cores", "governor", "memory_mib",
      "store_file_system", "sync_ms", "wake_up_latency_ms", "load_average", "steal_percent",
      "command_line", "scenarios", "turbo", "address_randomisation",
      "available_memory_mib", "memory_pressure_percent", "run_queue_delay_percent", "diagnoses",
      "processors_kept_awake", "choices",
    ] {
      #expect(fields[name] != nil, "\(name)")
    }
    #expect(environment.gitSHA == "unavailable")
    #expect(environment.pragmas["journal_mode"] == "wal")
    #expect(environment.scenarios.first?["horizon_ms"] == "250")
    let sync = try #require(environment.syncMs)
    #expect(sync > 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `what a commit guarantees follows from the pragmas`() {
    let guarantees = [("wal", "1"), ("wal", "2"), ("delete", "0")].map {
      StoreEnvironment.guarantee(of: ["journal_mode": $0, "synchronous": $1])
    }
    #expect(
      guarantees == [
        "committed to the WAL; synchronous=NORMAL syncs at checkpoints only",
        "committed to the WAL; synchronous=FULL syncs each commit",
        "committed to the database file (journal delete); synchronous=OFF never syncs",
      ])
  }

  @Test func `the choices name the lookup that finds objects`() throws {
    let lookups = try ["per-object", "per-batch", "constraint"].flatMap { lookup in
      try Scenario.load(
        file: "\(ScenarioLibrary.sourceTree)/Scenarios/earthquakes.yaml",
        set: ["worker.find=\(lookup)"]
      ).map { $0.choices(keepsAwake: false)[1] }
    }
    #expect(
      lookups == [
        "one fetch per object", "one IN fetch per batch",
        "no fetch: a uniqueness constraint finds the objects",
      ])
  }

  @Test func `a machine's ID is constant and reveals no host name`() {
    #expect(Machine.hostID == Machine.hostID)
    #expect(Machine.hostID.wholeMatch(of: /[0-9a-f]{8,16}/) != nil)
    #expect(!Machine.hostID.contains(ProcessInfo.processInfo.hostName))
  }

  /// The kernel composes /proc/cpuinfo for each reader.
  @Test func `a machine's ID is read once`() throws {
    #if os(Linux)
      func readCalls() throws -> Int {
        try #require(Machine.field("syscr", of: "/proc/thread-self/io").flatMap(Int.init))
      }
      _ = Machine.hostID
      let calls = try [readCalls(), readCalls()]
      for _ in 0..<100 { _ = Machine.hostID }
      #expect(try readCalls() - calls[1] == calls[1] - calls[0])
    #endif
  }

  @Test func `the file system is that of the nearest mount point`() {
    #if os(Linux)
      #expect(Machine.fileSystem(of: URL(fileURLWithPath: "/proc/self/fd")) == "proc")
      #expect(Machine.fileSystem(of: URL(fileURLWithPath: "/")) != "unavailable")
      let mounts = "/dev/a / ext4 rw 0 0\nb /tmp/a\\040b xfs rw 0 0\nc /tmp/a\\040b tmpfs rw 0 0\n"
      #expect(Machine.fileSystem(of: "/tmp/a b/c", inMounts: mounts) == "tmpfs")
      #expect(Machine.fileSystem(of: "/tmp/a bc", inMounts: mounts) == "ext4")
    #endif
  }

  @Test func `a missing folder has no sync time`() {
    #expect(SyncTime.median(in: URL(fileURLWithPath: "/no/such/folder")) == nil)
  }

  @Test func `a watch measures the steal since its start`() {
    var stat = "cpu  100 0 50 800 10 0 5 35 0 0\ncpu0 1"
    let watch = ProcessorWatch(times: { ProcessorTimes(stat: stat) })
    #expect(watch.stolen == nil)
    // Of 400 ticks: 100 idle, 40 stolen, 260 of work.
    stat = "cpu  310 0 100 890 20 0 5 75 0 0\ncpu0 1"
    #expect(watch.stolen == 0.1)
    #expect(ProcessorWatch(times: { nil }).stolen == nil)
  }

  @Test func `steal is a share of all counted time`() throws {
    let start = try #require(ProcessorTimes(stat: "cpu  100 0 50 800 10 0 5 35 7 7\ncpu0 1"))
    let end = try #require(ProcessorTimes(stat: "cpu  150 0 50 840 10 0 5 45 7 7\ncpu0 1"))
    #expect(start.all == 1000)
    #expect(ProcessorTimes.stolen(from: start, to: end) == 10)
    #expect(ProcessorTimes.stolen(from: end, to: end) == nil)
    #expect(ProcessorTimes(stat: "intr 1 2 3") == nil)
  }

  @Test func `memory pressure is the ten-second average of tasks that waited`() {
    let text = "some avg10=1.25 avg60=0.10 avg300=0.00 total=9\nfull avg10=0.50 avg60=0 avg300=0"
    #expect(Machine.pressure(text) == 1.25)
    #expect(Machine.pressure("") == nil)
  }

  @Test func `the environment has the exact version of each dependency`() throws {
    let package = try String(
      contentsOfFile: "\(ScenarioLibrary.sourceTree)/Package.swift", encoding: .utf8)
    let pinned = package.matches(of: /\/([\w.-]+)", exact: "([\d.]+)"/).map {
      (String($0.output.1), String($0.output.2))
    }
    #expect(!pinned.isEmpty && !package.contains("from: \""))
    let folder = TemporaryFolder()
    let environment = MachineEnvironment.sample(in: folder)
    #expect(environment.dependencies == Dictionary(uniqueKeysWithValues: pinned))
  }

  @Test func `a reading survives the environment file`() throws {
    let folder = TemporaryFolder()
    let environment = MachineEnvironment.sample(in: folder)
    let reading = try JSONDecoder().decode(
      MachineEnvironment.self, from: JSONEncoder().encode(environment)
    ).reading
    #expect(reading.build == Machine.build)
    #expect(reading.cores == Machine.cores)
    #expect(reading.turbo == Machine.turbo)
    #expect(reading.randomisesAddresses == Machine.randomisesAddresses)
    #expect(reading.wakeUp == environment.wakeUpLatencyMs)
    #expect(reading.isVirtual == Machine.isVirtual)
    #expect(reading.keepsAwake == false)
    #expect(reading.competing == environment.competingThreads)
    #expect(environment.keepsAwake == false)
    #expect(environment.diagnoses?.contains { $0.what == "this is a debug build" } == true)
  }
}

@Suite struct BinaryDigestTests {
  private let folder = TemporaryFolder()

  private func digest(_ bytes: [UInt8]) throws -> String? {
    let file = folder.url.appendingPathComponent("file")
    try Data(bytes).write(to: file)
    return Machine.digest(of: file.path)
  }

  @Test func `files that differ in one bit or in length have different digests`() throws {
    let bytes = [UInt8](repeating: 0, count: 27)
    var seen = Set([try digest(bytes), try digest(bytes + [0]), try digest([])])
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] = 1 << bit
        seen.insert(try digest(other))
      }
    }
    #expect(seen.count == 3 + 27 * 8)
    #expect(!seen.contains(nil))
  }

  @Test func `a missing file has no digest`() {
    #expect(Machine.digest(of: "/no/such/file") == nil)
    #expect(Machine.digest(of: "/proc/self/exe") != nil)
  }
}
