extension MachineReading {
  /// In the order of the doctor's table.
  package var checks: [MachineCheck] {
    [
      buildCheck, coresCheck, processorsCheck, loadCheck, stealCheck, governorCheck, turboCheck,
      addressesCheck, wakeUpCheck, runQueueCheck, fileSystemCheck, syncCheck, memoryCheck,
    ] + (isPriced == true ? [pricesCheck] : [])
  }
}

extension MachineReading {
  private var buildCheck: MachineCheck {
    MachineCheck(
      "build", build, isDoubtful: build.map { $0 != "release" },
      Diagnosis(
        "this is a \(build ?? "") build",
        remedy: "measure with scripts/topobench or `swift build -c release`"))
  }

  private var pricesCheck: MachineCheck {
    MachineCheck(
      "prices", "charged", isDoubtful: true,
      Diagnosis("times contain a device's prices", evidence: "main_priced_ms is main's part"))
  }

  /// Main, the worker, and a parent on its private queue.
  private static let busyThreads = 3

  private var coresCheck: MachineCheck {
    MachineCheck(
      "cores", cores.map(String.init), isDoubtful: cores.map { $0 < Self.busyThreads },
      Diagnosis(
        "a cell has more busy threads than the machine has cores",
        evidence: "\(Self.busyThreads) threads, \(Figures.counted(cores ?? 0, "core"))",
        remedy: "use a machine with more cores; main_runqueue_ms shows what it cost"))
  }

  /// The host probably takes a sleeping virtual processor, and gives it back late.
  private var processorsCheck: MachineCheck {
    let isAwake = keepsAwake ?? false
    let kind = isVirtual.map { $0 ? "virtual" : "real" }
    return MachineCheck(
      "processors", kind.map { isAwake ? "\($0), kept awake" : $0 },
      isDoubtful: isVirtual.map { $0 && !isAwake },
      Diagnosis(
        "virtual processors that sleep may wake up late",
        remedy: "see whether `topobench doctor --keep-awake` finds less noise; if so, give"
          + " --keep-awake to run and duet, on both sides of a comparison", grade: .good))
  }

  private var loadCheck: MachineCheck {
    let text = disturbingLoad.map { Self.rounded($0, digits: 2) }
    let isBusy = isBusy(disturbingLoad)
    // The average remembers loads that have ended or disturb nobody.
    let isOver = isBusy != true && self.isBusy(load) == true
    let average = load.map {
      isOver ? " now, \(Self.rounded($0, digits: 2)) on average" : ""
    }
    return MachineCheck(
      "load", text.map { $0 + (average ?? "") }, isDoubtful: isBusy,
      Diagnosis(
        "other programs use the machine",
        evidence: "load \(text ?? "") on \(Figures.counted(cores ?? 0, "core"))",
        remedy: "let nothing else run"))
  }

  private func isBusy(_ load: Double?) -> Bool? {
    guard let load, let cores else { return nil }
    return load / Double(max(1, cores)) > DiagnosisLimits.busyLoad
  }

  private var stealCheck: MachineCheck {
    let text = steal.map { "\(Self.rounded($0, digits: 2)) %" }
    return MachineCheck(
      "steal", text, isDoubtful: steal.map { $0 > DiagnosisLimits.noticeableSteal * 100 },
      Diagnosis(
        "other guests of the host take processor time", evidence: text ?? "",
        remedy: "use a machine of your own, or duet, whose pairs meet the same spells"))
  }

  private var governorCheck: MachineCheck {
    MachineCheck(
      "governor", governor, isDoubtful: governor.map { $0 != "performance" },
      Diagnosis(
        "the clock frequency varies", evidence: "governor \(governor ?? "")",
        remedy: "sudo cpupower frequency-set --governor performance"))
  }

  private var turboCheck: MachineCheck {
    MachineCheck(
      "turbo", turbo.map { $0 ? "on" : "off" }, isDoubtful: turbo,
      Diagnosis(
        "the clock may rise above what the processor can hold", evidence: "turbo on",
        remedy: "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
          + " (elsewhere: echo 0 into cpufreq/boost)", grade: .good))
  }

  private var addressesCheck: MachineCheck {
    MachineCheck(
      "address randomisation", randomisesAddresses.map { $0 ? "on" : "off" },
      isDoubtful: randomisesAddresses,
      Diagnosis(
        "each process has its memory at other addresses", evidence: "address randomisation on",
        remedy:
          "setarch --addr-no-randomize topobench …; or leave it: fresh processes average over it",
        grade: .good))
  }
}

extension MachineReading {
  private var wakeUpCheck: MachineCheck {
    let text = wakeUp.map { "\(Self.rounded($0, digits: 3)) ms" }
    return MachineCheck(
      "wake-up latency", text, isDoubtful: wakeUp.map { $0 > DiagnosisLimits.lateWakeUp },
      Diagnosis(
        "this machine wakes a waiting thread late", evidence: "up to \(text ?? "")",
        remedy: keepsAwake == true
          ? "let nothing else run; on a virtual machine, take one with processors of its own"
          : "--keep-awake, if `topobench doctor --keep-awake` finds less noise; let nothing else"
            + " run"))
  }

  private var runQueueCheck: MachineCheck {
    let text = runQueueShare.map { "\(Self.rounded($0 * 100, digits: 1)) %" }
    return MachineCheck(
      "run-queue delay", text,
      isDoubtful: runQueueShare.map { $0 > DiagnosisLimits.noticeableShare },
      Diagnosis(
        "a thread that wants to run waits for a core", evidence: "\(text ?? "") of its time",
        remedy: "let nothing else run, or use a machine with more cores"))
  }

  /// In memory, or on another machine.
  private static let unlikeDisks = ["tmpfs", "ramfs", "nfs", "nfs4", "cifs", "smb3", "9p", "fuse"]

  private var fileSystemCheck: MachineCheck {
    let kind = fileSystem?.split(separator: ".").first.map(String.init)
    return MachineCheck(
      "file system", fileSystem, isDoubtful: kind.map(Self.unlikeDisks.contains),
      Diagnosis(
        "the stores are not on a disk of this machine",
        evidence: "file system \(fileSystem ?? "")",
        remedy: "name a folder on a disk with --disk DIR"))
  }

  private var syncCheck: MachineCheck {
    MachineCheck(
      "sync", sync.map { "\(Self.rounded($0, digits: 3)) ms" },
      isDoubtful: sync.map { $0 < DiagnosisLimits.phoneSync },
      Diagnosis(
        "a sync is faster than a phone's", evidence: "\(Self.rounded(sync ?? 0, digits: 3)) ms",
        remedy: "a phone takes milliseconds: read orders and mechanisms, not seconds",
        grade: .good))
  }

  /// Percent of memory, and of time waiting for memory.
  private static let (leastAvailable, mostPressure) = (10.0, 1.0)

  private var memoryCheck: MachineCheck {
    let available = availableMiB.flatMap { available in
      memoryMiB.map { available / max(1, $0) * 100 }
    }
    let waits = memoryPressure.flatMap {
      $0 > 0 ? "waits \(Self.rounded($0, digits: 1)) %" : nil
    }
    let parts = [available.map { "\(Self.rounded($0, digits: 0)) % free" }, waits]
      .compactMap { $0 }
    let text = parts.isEmpty ? nil : parts.joined(separator: ", ")
    return MachineCheck(
      "memory", text,
      isDoubtful: (available ?? 100) < Self.leastAvailable
        || (memoryPressure ?? 0) > Self.mostPressure,
      Diagnosis("memory is short", evidence: text ?? "", remedy: "close what holds memory"))
  }

  private static func rounded(_ value: Double, digits: Int) -> String {
    let scale = [1.0, 10, 100, 1000][digits]
    let whole = (value * scale).rounded() / scale
    return (digits == 0 ? Int(exactly: whole).map(String.init) : nil) ?? String(whole)
  }
}
