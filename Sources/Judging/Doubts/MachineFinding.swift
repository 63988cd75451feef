// What a machine's readings mean for results.
//
//   fine         nothing to do
//   noted        widens the spread, which every verdict takes into account
//   doubtful     can move a result; travels into gate and duet as a caveat
//   unavailable  the machine does not tell

/// One thing that was looked at.
package struct MachineFinding: Sendable, Equatable {
  package enum State: String, Codable, Sendable, CaseIterable {
    case fine, noted, doubtful, unavailable
  }

  /// Such as `governor`.
  package let subject: String
  /// What was found, as people read it; `unavailable` where the machine does not tell.
  package let reading: String
  package let state: State
  /// What to do about it; nil where nothing is to be done.
  package let remedy: String?
  /// The finding as a clause, where it is doubtful.
  let clause: String

  init(
    _ subject: String, _ reading: String?, isDoubtful: Bool, isNoted: Bool = false,
    clause: String = "", remedy: String
  ) {
    self.subject = subject
    self.reading = reading ?? "unavailable"
    state =
      reading == nil ? .unavailable : isDoubtful ? .doubtful : isNoted ? .noted : .fine
    self.remedy = isDoubtful || isNoted ? remedy : nil
    self.clause = clause.isEmpty ? "the \(subject) is \(reading ?? "unavailable")" : clause
  }

  package var caveat: Caveat? {
    guard state == .doubtful, let remedy else { return nil }
    return Caveat(clause, remedy: remedy)
  }

  /// Everything that is looked at, in the order of the table.
  package static func all(_ machine: MachineReading) -> [MachineFinding] {
    [
      build(machine), cores(machine), processors(machine), load(machine), steal(machine),
      governor(machine), turbo(machine), addresses(machine), wakeUp(machine), runQueue(machine),
      fileSystem(machine), sync(machine), memory(machine),
    ]
  }
}

// MARK: - The program and the processor

extension MachineFinding {
  private static func build(_ machine: MachineReading) -> MachineFinding {
    MachineFinding(
      "build", machine.build, isDoubtful: machine.build.map { $0 != "release" } ?? false,
      clause: "this is a \(machine.build ?? "") build",
      remedy: "scripts/topobench and `swift build -c release` build for measuring")
  }

  /// Main, the worker, and a parent on its private queue.
  private static let busyThreads = 3

  private static func cores(_ machine: MachineReading) -> MachineFinding {
    let isShort = machine.cores.map { $0 < busyThreads } ?? false
    return MachineFinding(
      "cores", machine.cores.map(String.init), isDoubtful: isShort,
      clause: "the machine has fewer cores (\(machine.cores ?? 0)) than a cell has busy threads"
        + " (\(busyThreads))",
      remedy: "use a machine with more cores; main_runqueue_ms says what it cost")
  }

  /// A processor of a virtual machine that sleeps is probably given back to the host, and comes back late.
  private static func processors(_ machine: MachineReading) -> MachineFinding {
    let isAwake = machine.keepsAwake ?? false
    let kind = machine.isVirtual.map { $0 ? "virtual" : "real" }
    return MachineFinding(
      "processors", kind.map { isAwake ? "\($0), kept awake" : $0 }, isDoubtful: false,
      isNoted: machine.isVirtual == true && !isAwake,
      remedy: "see whether `topobench doctor --keep-awake` finds less noise; if so, give"
        + " --keep-awake to run and duet, on both sides of a comparison")
  }

  private static func load(_ machine: MachineReading) -> MachineFinding {
    let load = machine.disturbingLoad
    let disturbs = isBusy(load, machine.cores)
    let text = load.map { rounded($0, digits: 2) }
    // The average alone would have been doubted, for what has ended or disturbs nobody.
    let isOver = !disturbs && isBusy(machine.load, machine.cores)
    let average = machine.load.map { isOver ? " now, \(rounded($0, digits: 2)) on average" : "" }
    return MachineFinding(
      "load", text.map { $0 + (average ?? "") }, isDoubtful: disturbs,
      clause: "the load was \(text ?? "") on \(machine.cores ?? 0) core(s)",
      remedy: "let nothing else run")
  }

  private static func isBusy(_ load: Double?, _ cores: Int?) -> Bool {
    guard let load, let cores else { return false }
    return load / Double(max(1, cores)) > DoubtFinder.busyLoad
  }

  /// In percent. What less than this takes cannot move a median.
  private static let noticeableSteal = 1.0

  private static func steal(_ machine: MachineReading) -> MachineFinding {
    let text = machine.steal.map { "\(rounded($0, digits: 2)) %" }
    return MachineFinding(
      "steal", text, isDoubtful: machine.steal.map { $0 > noticeableSteal } ?? false,
      clause: "other guests of the host take \(text ?? "") of the processor",
      remedy: "use a machine of your own, or duet, whose pairs meet the same spells")
  }

  private static func governor(_ machine: MachineReading) -> MachineFinding {
    MachineFinding(
      "governor", machine.governor,
      isDoubtful: machine.governor.map { $0 != "performance" } ?? false,
      remedy: "sudo cpupower frequency-set --governor performance")
  }

  private static func turbo(_ machine: MachineReading) -> MachineFinding {
    MachineFinding(
      "turbo", machine.turbo.map { $0 ? "on" : "off" }, isDoubtful: false,
      isNoted: machine.turbo ?? false,
      remedy: "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
        + " (elsewhere: echo 0 into cpufreq/boost)")
  }

  private static func addresses(_ machine: MachineReading) -> MachineFinding {
    MachineFinding(
      "address randomisation", machine.randomisesAddresses.map { $0 ? "on" : "off" },
      isDoubtful: false, isNoted: machine.randomisesAddresses ?? false,
      remedy:
        "setarch --addr-no-randomize topobench …; or leave it: fresh processes average over it")
  }
}

// MARK: - Waiting, the disk, memory

extension MachineFinding {
  private static func wakeUp(_ machine: MachineReading) -> MachineFinding {
    let text = machine.wakeUp.map { "\(rounded($0, digits: 3)) ms" }
    return MachineFinding(
      "wake-up latency", text,
      isDoubtful: machine.wakeUp.map { $0 > DoubtFinder.lateWakeUp } ?? false,
      clause: "this machine wakes a waiting thread up to \(text ?? "") late",
      remedy: machine.keepsAwake == true
        ? "let nothing else run; on a virtual machine, take one with processors of its own"
        : "--keep-awake, if `topobench doctor --keep-awake` finds less noise; let nothing else run")
  }

  private static func runQueue(_ machine: MachineReading) -> MachineFinding {
    let text = machine.runQueueShare.map { "\(rounded($0 * 100, digits: 1)) %" }
    return MachineFinding(
      "run-queue delay", text,
      isDoubtful: machine.runQueueShare.map { $0 > DoubtFinder.noticeableShare } ?? false,
      clause: "a thread that wants to run waits \(text ?? "") of its time for a core",
      remedy: "let nothing else run, or use a machine with more cores")
  }

  /// File systems that lie in memory, or at the other end of a wire.
  private static let unlikeDisks = ["tmpfs", "ramfs", "nfs", "nfs4", "cifs", "smb3", "9p", "fuse"]

  private static func fileSystem(_ machine: MachineReading) -> MachineFinding {
    let kind = machine.fileSystem?.split(separator: ".").first.map(String.init)
    return MachineFinding(
      "file system", machine.fileSystem,
      isDoubtful: kind.map(unlikeDisks.contains) ?? false,
      clause: "the stores lie on \(machine.fileSystem ?? ""), which is no disk of this machine",
      remedy: "--disk DIR names a folder on one")
  }

  private static func sync(_ machine: MachineReading) -> MachineFinding {
    MachineFinding(
      "sync", machine.sync.map { "\(rounded($0, digits: 3)) ms" }, isDoubtful: false,
      isNoted: machine.sync.map { $0 < DoubtFinder.phoneSync } ?? false,
      remedy: "a phone takes milliseconds: read orders and mechanisms, not seconds")
  }

  /// Of memory that can be had, and of time waited for it, in percent.
  private static let (leastAvailable, mostPressure) = (10.0, 1.0)

  private static func memory(_ machine: MachineReading) -> MachineFinding {
    let available = machine.availableMiB.flatMap { available in
      machine.memoryMiB.map { available / max(1, $0) * 100 }
    }
    let waits = machine.memoryPressure.flatMap {
      $0 > 0 ? "waits \(rounded($0, digits: 1)) %" : nil
    }
    let parts = [available.map { "\(rounded($0, digits: 0)) % free" }, waits].compactMap { $0 }
    let text = parts.isEmpty ? nil : parts.joined(separator: ", ")
    return MachineFinding(
      "memory", text,
      isDoubtful: (available ?? 100) < leastAvailable
        || (machine.memoryPressure ?? 0) > mostPressure,
      clause: "memory is short: \(text ?? "")", remedy: "close what holds memory")
  }

  private static func rounded(_ value: Double, digits: Int) -> String {
    let scale = [1.0, 10, 100, 1000][digits]
    let whole = (value * scale).rounded() / scale
    return digits == 0 ? String(Int(whole)) : String(whole)
  }
}
