import Foundation
import Testing
import Workload

@testable import Harness

@Suite struct MachineTests {
  @Test func `the environment file names everything that a reader needs`() throws {
    let folder = try TemporaryFolder()
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
      "command_line", "scenarios",
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

  @Test func `a machine has one name, which does not tell who it is`() {
    #expect(Machine.hostID == Machine.hostID)
    #expect(Machine.hostID.wholeMatch(of: /[0-9a-f]{8,16}/) != nil)
    #expect(!Machine.hostID.contains(ProcessInfo.processInfo.hostName))
  }

  @Test func `the file system is that of the nearest mount point`() {
    #if os(Linux)
      #expect(Machine.fileSystem(of: URL(fileURLWithPath: "/proc/self/fd")) == "proc")
      #expect(Machine.fileSystem(of: URL(fileURLWithPath: "/")) != "unavailable")
    #endif
  }

  @Test func `a folder that is not there has no sync time`() {
    #expect(SyncTime.median(in: URL(fileURLWithPath: "/no/such/folder")) == nil)
  }
}
