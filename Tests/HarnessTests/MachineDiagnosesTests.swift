import Foundation
import Judging
import Measurement
import Testing

@testable import Harness

@Suite struct MachineDiagnosesTests {
  private static var calm: MachineReading {
    var machine = MachineReading()
    machine.build = "release"
    machine.kernel = "6.1"
    machine.sqlite = "3.40.1"
    machine.cores = 8
    machine.isVirtual = false
    machine.loadAverage = [0.1]
    machine.steal = 0
    machine.governor = "performance"
    machine.turbo = .off
    machine.addressRandomisation = .off
    machine.wakeUp = 0.05
    machine.runQueueDelay = 0.1
    machine.fileSystem = "ext4"
    machine.sync = 3
    machine.memoryMiB = 16_000
    machine.availableMiB = 9_000
    machine.memoryPressure = 0
    return machine
  }

  private static func with(_ edit: @Sendable (inout MachineReading) -> Void) -> MachineReading {
    var machine = calm
    edit(&machine)
    return machine
  }

  @Test func `a calm machine has no diagnosis`() {
    #expect(Self.calm.diagnoses == [])
    #expect(Self.calm.checks.allSatisfy { $0.reading != nil && $0.diagnosis == nil })
  }

  @Test func `a machine without readings has no diagnosis`() {
    let checks = MachineReading().checks
    #expect(checks.filter { $0.reading != nil || $0.diagnosis != nil } == [])
  }

  struct Trouble: Sendable, CustomTestStringConvertible {
    let subject: String
    let reading: String
    let edit: @Sendable (inout MachineReading) -> Void

    init(
      _ subject: String, _ reading: String,
      _ edit: @escaping @Sendable (inout MachineReading) -> Void
    ) {
      (self.subject, self.reading, self.edit) = (subject, reading, edit)
    }

    var testDescription: String { "\(subject): \(reading)" }
  }

  @Test(arguments: [
    Trouble("build", "debug") { $0.build = "debug" },
    Trouble("cores", "2 cores") { $0.cores = 2 },
    Trouble("load", "5.0") { $0.loadAverage = [5] },
    Trouble("steal", "3.0 %") { $0.steal = 3 },
    Trouble("governor", "powersave") { $0.governor = "powersave" },
    Trouble("wake-up latency", "by 1.5 ms, the median") { $0.wakeUp = 1.5 },
    Trouble("run-queue delay", "25.0 %") { $0.runQueueDelay = 25 },
    Trouble("file system", "tmpfs") { $0.fileSystem = "tmpfs" },
    Trouble("file system", "fuse.sshfs") { $0.fileSystem = "fuse.sshfs" },
    Trouble("memory", "1 % free") { $0.availableMiB = 100 },
    Trouble("memory", "waits 7.0 %") { ($0.availableMiB, $0.memoryPressure) = (1e99, 7) },
    Trouble("memory", "waits 7.0 %") { $0.memoryPressure = 7 },
  ])
  func `one doubtful reading is one diagnosis, with evidence and a remedy`(
    trouble: Trouble
  ) throws {
    let machine = Self.with(trouble.edit)
    let doubtful = machine.checks.filter(\.isDoubtful)
    #expect(doubtful.map(\.subject) == [trouble.subject])
    let diagnosis = try #require(machine.diagnoses.first)
    #expect(machine.diagnoses.count == 1 && diagnosis.grade == .fair)
    #expect(diagnosis.clause.contains(trouble.reading), "\(diagnosis.clause)")
    #expect(!diagnosis.remedy.isEmpty)
  }

  @Test func `times at a device's prices are doubtful`() {
    let clauses = Self.with { $0.isPriced = true }.diagnoses.map(\.clause)
    #expect(
      clauses == [
        "times contain a device's prices: main_priced_ms is main's part while changes arrive"
      ])
    #expect(Self.with { $0.isPriced = false }.diagnoses == [])
  }

  @Test func `a load that has ended or disturbs nobody is no diagnosis`() throws {
    // After a run with eight processors kept awake.
    let after = Self.with {
      $0.loadAverage = [7.9]
      $0.competing = 0.2
    }
    #expect(after.disturbingLoad == 0.2)
    #expect(after.diagnoses == [])
    let load = try #require(after.checks.first { $0.subject == "load" })
    #expect(load.reading == "0.2 now, 7.9 on average")
    // Both are high while something runs.
    let busy = Self.with {
      $0.loadAverage = [7.9]
      $0.competing = 6
    }
    #expect(busy.diagnoses.first?.evidence == "load 6.0 on 8 cores")
    // A moment's work is no load. A system that shows no threads has its average.
    let brief = Self.with { $0.competing = 6 }
    #expect(brief.diagnoses == [])
    #expect(Self.with { $0.loadAverage = [7] }.disturbingLoad == 7)
    #expect(MachineReading().disturbingLoad == nil)
  }

  @Test func `processors of a virtual machine that may sleep are noted, with the remedy`() throws {
    let asleep = Self.with { $0.isVirtual = true }
    let check = try #require(asleep.checks.first { $0.subject == "processors" })
    #expect(check.reading == "virtual")
    #expect(check.diagnosis?.grade == .good && !check.isDoubtful)
    #expect(check.diagnosis?.remedy.contains("doctor --keep-awake") == true)
    #expect(asleep.diagnoses == [])
    let awake = Self.with { ($0.isVirtual, $0.keepsAwake) = (true, true) }
    #expect(awake.checks.allSatisfy { $0.diagnosis == nil })
    #expect(awake.checks.contains { $0.reading == "virtual, kept awake" })
    let late = Self.with { $0.wakeUp = 1.5 }
    #expect(late.diagnoses.first?.remedy.contains("--keep-awake") == true)
  }

  @Test func `a reason that only widens the spread is graded good`() {
    let machine = Self.with {
      $0.addressRandomisation = .on
      $0.turbo = .on
      $0.sync = 0.2
    }
    let noted = machine.checks.filter { $0.diagnosis?.grade == .good }
    #expect(noted.map(\.subject) == ["turbo", "address randomisation", "sync"])
    #expect(noted.allSatisfy { $0.diagnosis?.remedy.isEmpty == false })
    #expect(machine.diagnoses == [])
  }

  @Test func `a diagnosis of both sides is listed once, that of one names its side`() {
    let loaded = Self.with { $0.loadAverage = [7] }
    let both = MachineDifferences.diagnoses(baseline: [loaded, loaded], candidate: [loaded])
    #expect(both == loaded.diagnoses)
    let one = MachineDifferences.diagnoses(baseline: [Self.calm], candidate: [loaded])
    #expect(one.count == 1)
    #expect(one[0].clause.hasPrefix("candidate: other programs use the machine: load 7.0"))
  }

  @Test func `machines that are set up differently, or unknown, make a comparison doubtful`() {
    let other = Self.with { $0.sqlite = "3.51.0" }
    let different = MachineDifferences.diagnoses(baseline: [Self.calm], candidate: [other])
    #expect(
      different.map(\.clause) == [
        "the SQLite differs: 3.40.1 against 3.51.0 (measure both alike, or with `topobench duet`)"
      ])
    let awake = MachineDifferences.diagnoses(
      baseline: [Self.calm], candidate: [Self.with { $0.keepsAwake = true }])
    #expect(awake.map(\.evidence) == ["without against with it"])
    let asleep = MachineDifferences.diagnoses(
      baseline: [Self.calm], candidate: [Self.with { $0.keepsAwake = false }])
    #expect(asleep == [])
    let silent = MachineDifferences.diagnoses(baseline: [], candidate: [Self.calm])
    #expect(
      silent.map(\.clause) == [
        "the load and settings of the baseline's machine are unknown "
          + "(keep NAME.env.json beside NAME.csv)"
      ])
  }

  @Test func `a duet's mark stands in its row, and only there`() throws {
    var cell = CellResult(
      runID: "r", startedAt: "", scenario: "s", topology: "t", store: "pool", trial: 3, order: 1,
      seed: 1, status: .ok)
    #expect(cell.duet == nil)
    cell.duet = DuetMark(pair: 3, side: .candidate, phase: .confirmation)
    let row = CellCSV.row(cell)
    #expect(row.contains(",3,candidate,confirmation,"))
    #expect(try CellCSV.decode(CellCSV.header + row).first?.duet == cell.duet)
  }
}
