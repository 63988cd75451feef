import Foundation
import Judging
import Measurement
import SQLiteStore
import Testing
import Workload

@testable import Harness

@Suite struct MachineTests {
  @Test func `the environment file has every declared property`() throws {
    let folder = TemporaryFolder()
    let scenarios = try Scenario.load(
      file: "\(ScenarioLibrary.sourceTree)/Scenarios/5000-cities.yaml", set: ["horizon_ms=250"])
    let environment = MachineEnvironment.capture(
      version: "1.2.3", gitSHA: "", storesIn: folder.url, scenarios: scenarios)
    let fields = try environment.fields()
    for property in MachineReading.properties {
      #expect(fields[property.key] != nil, "\(property.key)")
    }
    #expect(fields["git_sha"] as? String == "unavailable")
    #expect(environment.machine.pragmas?["journal_mode"] == "wal")
    #expect(environment.run.scenarios.first?["horizon_ms"] == "250")
    #expect(environment.run.choices?.count == 1)
    let sync = try #require(environment.machine.sync)
    #expect(sync > 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `a folder that can hold no store is said, and its pragmas are unavailable`() throws {
    let environment = MachineEnvironment.capture(
      version: "1", gitSHA: "", storesIn: URL(fileURLWithPath: "/proc/none"), scenarios: [])
    let fields = try environment.fields()
    #expect(fields["pragmas"] as? String == "unavailable")
    #expect(fields["durable"] as? String == "unavailable")
    #expect(environment.machine.failures.count == 1)
    #expect(environment.machine.failures[0].hasPrefix("The pragmas of a store cannot be read: "))
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

  @Test func `the choices say what is assumed of a list with a batch size`() throws {
    let sections = ["none", "favourite", "{month_of: born}"]
    let clauses = try sections.flatMap { section in
      try Scenario.load(
        file: "\(ScenarioLibrary.sourceTree)/Scenarios/sections.yaml",
        set: ["list.section_by=\(section)", "list.batch_size=[0, 20]"]
      ).map { $0.choices(keepsAwake: false).first { $0.contains("rows a batch") } }
    }
    let plain =
      "the list fetched 20 rows a batch, on a child context all at once (assumed: a changed row "
      + "reads O(log n) batches)"
    let counted = plain.dropLast() + ", SQL counts sections)"
    #expect(clauses == [nil, plain, nil, String(counted), nil, plain])
  }

  private static let virtual = MachineIdentity(
    machineID: "image", bootID: "boot", cpu: "EPYC", isVirtual: true, cards: ["02:1", "02:2"])

  @Test func `a virtual machine is known by its boot, processor and cards, in any order`() {
    let one = Self.virtual
    let known = one.hostID
    #expect(known?.wholeMatch(of: /[0-9a-f]{8,16}/) != nil)
    func id(_ change: (inout MachineIdentity) -> Void) -> String? {
      var other = one
      change(&other)
      return other.hostID
    }
    #expect(id { $0.cards.reverse() } == known && id { $0.machineID = "other" } == known)
    let others = [
      id { $0.bootID = "later" }, id { $0.cpu = "Xeon" }, id { $0.cards = ["02:1"] },
    ]
    #expect(Set(others + [known]).count == 4 && !others.contains(nil))
  }

  @Test func `a real machine is known by its machine-id and cards, also after it started again`() {
    var one = Self.virtual
    one.isVirtual = false
    let known = one.hostID
    one.bootID = "later"
    #expect(one.hostID == known && known != nil)
    one.cards = ["02:3"]
    #expect(one.hostID != known)
  }

  @Test func `without a boot, a processor or a card, a machine is unknown`() {
    for change in [
      { $0.bootID = nil }, { $0.cpu = nil }, { $0.cards = [] },
    ] as [(inout MachineIdentity) -> Void] {
      var one = Self.virtual
      change(&one)
      #expect(one.hostID == nil)
      one.machineID = nil
      one.isVirtual = false
      #expect(one.hostID == nil)
    }
    var container = Self.virtual
    container.cards = []
    #expect(container.boot == Self.virtual.boot && container.boot != nil)
  }

  /// The kernel composes /proc/cpuinfo for each reader.
  @Test func `a machine's ID is read once, and reveals no host name`() throws {
    #if os(Linux)
      func readCalls() throws -> Int {
        try #require(Machine.field("syscr", of: "/proc/thread-self/io").flatMap(Int.init))
      }
      #expect(Machine.hostID?.contains(ProcessInfo.processInfo.hostName) != true)
      let calls = try [readCalls(), readCalls()]
      for _ in 0..<100 { _ = Machine.hostID }
      #expect(try readCalls() - calls[1] == calls[1] - calls[0])
    #endif
  }

  @Test func `a system that does not tell its name is not named by its kernel`() {
    #expect(Machine.name(ofSystem: "Linux 6.1.0-42-amd64") == nil)
    #expect(Machine.name(ofSystem: "Linux Mint 22") == "Linux Mint 22")
  }

  @Test func `the file system is that of the nearest mount point`() {
    #if os(Linux)
      #expect(Machine.fileSystem(of: URL(fileURLWithPath: "/proc/self/fd")) == "proc")
      #expect(Machine.fileSystem(of: URL(fileURLWithPath: "/")) != nil)
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
    #expect(environment.machine.dependencies == Dictionary(uniqueKeysWithValues: pinned))
  }
}

/// The checks of each declared property. A new one needs no line here.
@Suite struct MachinePropertyTests {
  private let properties = MachineReading.properties

  @Test func `no two properties have one key, or one line of the doctor's table`() {
    #expect(properties.count > 30)
    #expect(Set(properties.map(\.key)).count == properties.count)
    let subjects = MachineReading().checks.map(\.subject)
    #expect(subjects.count == properties.count { $0.check != nil })
    #expect(Set(subjects).count == subjects.count)
  }

  @Test func `every property survives the environment file, with numbers as numbers`() throws {
    let environment = MachineEnvironment.sample(in: TemporaryFolder())
    let fields = try environment.fields()
    let read = try JSONDecoder().decode(
      MachineEnvironment.self, from: JSONEncoder().encode(environment)
    ).machine
    #expect(environment.machine.changes(to: read) == [])
    for property in properties {
      #expect(property.text(in: read) == property.text(in: environment.machine))
      let value = try #require(fields[property.key], "\(property.key)")
      let declared = property.encoded(in: environment.machine)
      if declared is Double || declared is Int { #expect(value is NSNumber, "\(property.key)") }
    }
    #expect(environment.run.diagnoses?.contains { $0.what == "this is a debug build" } == true)
  }

  @Test func `environment files of earlier versions are read, with numbers as text`() throws {
    let folder = URL(fileURLWithPath: "\(ScenarioLibrary.sourceTree)/results/full")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".env.json") }
    #expect(!files.isEmpty)
    for file in files {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      let fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let machine = try JSONDecoder().decode(MachineEnvironment.self, from: data).machine
      for property in properties {
        guard let value = fields[property.key] else { continue }
        let isKnown = value as? String != "unavailable"
        #expect((property.encoded(in: machine) != nil) == isKnown, "\(file): \(property.key)")
      }
    }
    let old = #"""
      {"schema": "topobench/3", "command_line": [], "scenarios": [], "memory_mib": "24105",
       "load_average": "4.16 4.07 3.68", "steal_percent": "0.0044", "turbo": "off",
       "available_memory_mib": "unavailable", "memory_pressure_percent": "nan"}
      """#
    let machine = try JSONDecoder().decode(MachineEnvironment.self, from: Data(old.utf8)).machine
    #expect(machine.memoryMiB == 24105 && machine.loadAverage == [4.16, 4.07, 3.68])
    #expect(machine.steal == 0.0044 && machine.turbo == .off && machine.keepsAwake == false)
    #expect(machine.availableMiB == nil && machine.memoryPressure == nil && machine.cores == nil)
  }

  @Test func `a resumption records the states, not the settings`() throws {
    var environment = MachineEnvironment.sample(in: TemporaryFolder())
    environment = environment.resumed(in: environment)
    let resumptions = try #require(try environment.fields()["resumptions"] as? [[String: Any]])
    let states = properties.filter { $0.variation == .state }.map(\.key)
    #expect(resumptions.map { Set($0.keys) } == [Set(states + ["at"])])
  }
}

extension MachineEnvironment {
  fileprivate func fields() throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
    return try #require(json as? [String: Any])
  }
}

@Suite struct BinaryDigestTests {
  private let folder = TemporaryFolder()

  private func digest(_ bytes: [UInt8]) throws -> String {
    let file = folder.url.appendingPathComponent("file")
    try Data(bytes).write(to: file)
    return try Machine.digest(of: file.path)
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
  }

  @Test func `a program that cannot be read has no digest, and the reason is said`() throws {
    var failures: [String] = []
    #expect(MachineProbe.binary(&failures) == (try Machine.digest(of: "/proc/self/exe")))
    #expect(failures == [])
    #expect(MachineProbe.binary(of: "/no/such/program", &failures) == nil)
    let told = try #require(failures.first)
    #expect(
      told.hasPrefix("The program '/no/such/program' cannot be read: no such file or directory."),
      "\(told)")
    #expect(told.hasSuffix("and --resume will not compare it."))
  }
}
