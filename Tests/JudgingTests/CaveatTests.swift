import Foundation
import Judging
import Measurement
import Testing

@Suite struct CaveatTests {
  /// Nothing to complain of.
  private static var calm: MachineReading {
    var machine = MachineReading()
    machine.build = "release"
    machine.kernel = "6.1"
    machine.sqlite = "3.40.1"
    machine.cores = 8
    machine.isVirtual = false
    machine.load = 0.1
    machine.steal = 0
    machine.governor = "performance"
    machine.turbo = false
    machine.randomisesAddresses = false
    machine.wakeUp = 0.05
    machine.runQueueShare = 0.001
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

  @Test func `a calm machine has nothing to say`() {
    #expect(Caveats.of(Self.calm) == [])
    #expect(MachineFinding.all(Self.calm).allSatisfy { $0.state == .fine && $0.remedy == nil })
  }

  @Test func `a machine that tells nothing is no doubtful one`() {
    let findings = MachineFinding.all(MachineReading())
    let told = findings.filter { $0.state != .unavailable || $0.reading != "unavailable" }
    #expect(told == [])
    #expect(Caveats.of(MachineReading()) == [])
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
    Trouble("cores", "(2)") { $0.cores = 2 },
    Trouble("load", "5.0") { $0.load = 5 },
    Trouble("steal", "3.0 %") { $0.steal = 3 },
    Trouble("governor", "powersave") { $0.governor = "powersave" },
    Trouble("wake-up latency", "1.5 ms") { $0.wakeUp = 1.5 },
    Trouble("run-queue delay", "25.0 %") { $0.runQueueShare = 0.25 },
    Trouble("file system", "tmpfs") { $0.fileSystem = "tmpfs" },
    Trouble("file system", "fuse.sshfs") { $0.fileSystem = "fuse.sshfs" },
    Trouble("memory", "1 % free") { $0.availableMiB = 100 },
    Trouble("memory", "waits 7.0 %") { $0.memoryPressure = 7 },
  ])
  func `one thing that is wrong is one caveat, with what was read and a remedy`(
    trouble: Trouble
  ) throws {
    let machine = Self.with(trouble.edit)
    let doubtful = MachineFinding.all(machine).filter { $0.state == .doubtful }
    #expect(doubtful.map(\.subject) == [trouble.subject])
    let caveat = try #require(Caveats.of(machine).first)
    #expect(Caveats.of(machine).count == 1)
    #expect(caveat.what.contains(trouble.reading), "\(caveat.what)")
    #expect(!caveat.remedy.isEmpty)
  }

  @Test func `a load that is over, or disturbs nobody, is no caveat, and told apart`() throws {
    // What the next run reads where another has just kept eight processors awake.
    let after = Self.with {
      $0.load = 7.9
      $0.competing = 0.2
    }
    #expect(after.disturbingLoad == 0.2)
    #expect(Caveats.of(after) == [])
    let load = try #require(MachineFinding.all(after).first { $0.subject == "load" })
    #expect(load.reading == "0.2 now, 7.9 on average")
    // Both are high where something does run.
    let busy = Self.with {
      $0.load = 7.9
      $0.competing = 6
    }
    #expect(Caveats.of(busy).first?.what == "the load was 6.0 on 8 core(s)")
    // A moment's work is no load, and a system that shows no threads has its average.
    let brief = Self.with { $0.competing = 6 }
    #expect(Caveats.of(brief) == [])
    #expect(Self.with { $0.load = 7 }.disturbingLoad == 7)
    #expect(MachineReading().disturbingLoad == nil)
  }

  @Test func `processors of a virtual machine that may sleep are noted, with the remedy`() throws {
    let asleep = Self.with { $0.isVirtual = true }
    let finding = try #require(MachineFinding.all(asleep).first { $0.subject == "processors" })
    #expect(finding.reading == "virtual")
    #expect(finding.state == .noted)
    #expect(finding.remedy?.contains("doctor --keep-awake") == true)
    #expect(Caveats.of(asleep) == [])
    let awake = Self.with { ($0.isVirtual, $0.keepsAwake) = (true, true) }
    #expect(MachineFinding.all(awake).allSatisfy { $0.state == .fine })
    #expect(MachineFinding.all(awake).contains { $0.reading == "virtual, kept awake" })
    let late = Self.with { $0.wakeUp = 1.5 }
    #expect(Caveats.of(late).first?.remedy.contains("--keep-awake") == true)
  }

  @Test func `what only widens the spread is noted, and no caveat`() {
    let machine = Self.with {
      $0.randomisesAddresses = true
      $0.turbo = true
      $0.sync = 0.2
    }
    let noted = MachineFinding.all(machine).filter { $0.state == .noted }
    #expect(noted.map(\.subject) == ["turbo", "address randomisation", "sync"])
    #expect(noted.allSatisfy { $0.remedy != nil })
    #expect(Caveats.of(machine) == [])
  }

  @Test func `two sides: what is true of both once, of one with its name`() {
    let loaded = Self.with { $0.load = 7 }
    let both = Caveats.between(baseline: [loaded, loaded], candidate: [loaded])
    #expect(both == Caveats.of(loaded))
    let one = Caveats.between(baseline: [Self.calm], candidate: [loaded])
    #expect(one.count == 1)
    #expect(one[0].what.hasPrefix("candidate: the load was 7.0"))
  }

  @Test func `two sides that were set otherwise, or one of which nothing is known`() {
    let other = Self.with { $0.sqlite = "3.51.0" }
    let different = Caveats.between(baseline: [Self.calm], candidate: [other])
    #expect(different.map(\.what) == ["the SQLite differs: 3.40.1 against 3.51.0"])
    let awake = Caveats.between(
      baseline: [Self.calm], candidate: [Self.with { $0.keepsAwake = true }])
    #expect(awake.map(\.what) == ["the use of --keep-awake differs: without against with it"])
    let asleep = Caveats.between(
      baseline: [Self.calm], candidate: [Self.with { $0.keepsAwake = false }])
    #expect(asleep == [])
    let silent = Caveats.between(baseline: [], candidate: [Self.calm])
    #expect(silent.count == 1)
    #expect(silent[0].what.contains("the baseline"))
    #expect(silent[0].remedy.contains("env.json"))
  }

  @Test func `a duet's mark stands in its row, and only there`() throws {
    var cell = CellResult(
      runID: "r", startedAt: "", scenario: "s", topology: "t", store: "pool", trial: 3, order: 1,
      seed: 1, status: .ok)
    #expect(cell.duet == nil)
    cell.duet = DuetMark(pair: 3, side: .candidate, phase: .confirmation)
    let row = CellCSV.row(cell)
    #expect(row.hasSuffix(",3,candidate,confirmation,,\n"))
    #expect(try CellCSV.decode(CellCSV.header + row).first?.duet == cell.duet)
  }
}
