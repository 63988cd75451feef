/// One reading of a machine, and why it makes results doubtful.
package struct MachineCheck: Codable, Sendable, Equatable {
  /// Such as `governor`.
  package let subject: String
  /// Nil if the machine does not report it.
  package let reading: String?
  package let diagnosis: Diagnosis?

  fileprivate init(
    _ subject: String, _ reading: String?, isDoubtful: Bool?, _ diagnosis: (String) -> Diagnosis
  ) {
    self.subject = subject
    self.reading = reading
    self.diagnosis = isDoubtful == true ? reading.map(diagnosis) : nil
  }

  package var isDoubtful: Bool { diagnosis.map { $0.grade != .good } ?? false }
}

extension MachineReading {
  /// Without those graded `good`.
  package var diagnoses: [Diagnosis] { checks.filter(\.isDoubtful).compactMap(\.diagnosis) }

  /// In the order of the doctor's table.
  package var checks: [MachineCheck] {
    programChecks + [processorsCheck, loadCheck] + processorChecks + waitingChecks + diskChecks
      + [memoryCheck] + (isPriced == true ? [pricesCheck] : [])
  }

  private var programChecks: [MachineCheck] {
    [
      MachineCheck("build", build, isDoubtful: build.map { $0 != "release" }) {
        Diagnosis(
          "this is a \($0) build",
          remedy: "measure with scripts/topobench or `swift build -c release`")
      },
      MachineCheck(
        "cores", cores.map(String.init), isDoubtful: cores.map { $0 < Self.busyThreads }
      ) { _ in
        Diagnosis(
          "a cell has more busy threads than the machine has cores",
          evidence: "\(Self.busyThreads) threads, \(Figures.counted(cores ?? 0, "core"))",
          remedy: "use a machine with more cores; main_runqueue_ms shows what it cost")
      },
    ]
  }

  /// Main, the worker, and a parent on its private queue.
  private static let busyThreads = 3

  /// The host probably gives a sleeping virtual processor to other guests and returns it late.
  private var processorsCheck: MachineCheck {
    let isAwake = keepsAwake ?? false
    let kind = isVirtual.map { $0 ? "virtual" : "real" }
    return MachineCheck(
      "processors", kind.map { isAwake ? "\($0), kept awake" : $0 },
      isDoubtful: isVirtual.map { $0 && !isAwake }
    ) { _ in
      Diagnosis(
        "virtual processors that sleep may wake up late",
        remedy: "see whether `topobench doctor --keep-awake` finds less noise; if so, give"
          + " --keep-awake to run and duet, on both sides of a comparison", grade: .good)
    }
  }

  private var loadCheck: MachineCheck {
    let text = disturbingLoad.map { Self.rounded($0, digits: 2) }
    let isBusy = isBusy(disturbingLoad)
    // The average contains loads that have ended or that disturb no cell.
    let isOver = isBusy != true && self.isBusy(load) == true
    let average = load.map { isOver ? " now, \(Self.rounded($0, digits: 2)) on average" : "" }
    return MachineCheck("load", text.map { $0 + (average ?? "") }, isDoubtful: isBusy) { _ in
      Diagnosis(
        "other programs use the machine",
        evidence: "load \(text ?? "") on \(Figures.counted(cores ?? 0, "core"))",
        remedy: "let nothing else run")
    }
  }

  private func isBusy(_ load: Double?) -> Bool? {
    guard let load, let cores else { return nil }
    return load / Double(max(1, cores)) > DiagnosisLimits.busyLoad
  }

  private var processorChecks: [MachineCheck] {
    [
      MachineCheck(
        "steal", steal.map { "\(Self.rounded($0, digits: 2)) %" },
        isDoubtful: steal.map { $0 > DiagnosisLimits.noticeableSteal * 100 }
      ) {
        Diagnosis(
          "other guests of the host take processor time", evidence: $0,
          remedy: "use a machine of your own, or duet, whose noise affects both builds")
      },
      MachineCheck("governor", governor, isDoubtful: governor.map { $0 != "performance" }) {
        Diagnosis(
          "the clock frequency varies", evidence: "governor \($0)",
          remedy: "sudo cpupower frequency-set --governor performance")
      },
      MachineCheck("turbo", turbo.map { $0 ? "on" : "off" }, isDoubtful: turbo) { _ in
        Diagnosis(
          "the clock may rise above what the processor can hold", evidence: "turbo on",
          remedy: "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
            + " (elsewhere: echo 0 into cpufreq/boost)", grade: .good)
      },
      MachineCheck(
        "address randomisation", randomisesAddresses.map { $0 ? "on" : "off" },
        isDoubtful: randomisesAddresses
      ) { _ in
        Diagnosis(
          "each process has its memory at other addresses", evidence: "address randomisation on",
          remedy: "setarch --addr-no-randomize topobench …; or leave it: fresh processes average"
            + " over it", grade: .good)
      },
    ]
  }

  private var waitingChecks: [MachineCheck] {
    [
      MachineCheck(
        "wake-up latency", wakeUp.map { "\(Self.rounded($0, digits: 3)) ms" },
        isDoubtful: wakeUp.map { $0 > DiagnosisLimits.lateWakeUp }
      ) {
        Diagnosis(
          "this machine wakes a waiting thread late", evidence: "up to \($0)",
          remedy: keepsAwake == true
            ? "let nothing else run; on a virtual machine, take one with processors of its own"
            : "--keep-awake, if `topobench doctor --keep-awake` finds less noise; let nothing else"
              + " run")
      },
      MachineCheck(
        "run-queue delay", runQueueShare.map { "\(Self.rounded($0 * 100, digits: 1)) %" },
        isDoubtful: runQueueShare.map { $0 > DiagnosisLimits.noticeableShare }
      ) {
        Diagnosis(
          "a thread that wants to run waits for a core", evidence: "\($0) of its time",
          remedy: "let nothing else run, or use a machine with more cores")
      },
    ]
  }

  /// File systems in memory, or on another machine.
  private static let unlikeDisks = ["tmpfs", "ramfs", "nfs", "nfs4", "cifs", "smb3", "9p", "fuse"]

  private var diskChecks: [MachineCheck] {
    let kind = fileSystem?.split(separator: ".").first.map(String.init)
    return [
      MachineCheck("file system", fileSystem, isDoubtful: kind.map(Self.unlikeDisks.contains)) {
        Diagnosis(
          "the stores are not on a disk of this machine", evidence: "file system \($0)",
          remedy: "name a folder on a disk with --disk DIR")
      },
      MachineCheck(
        "sync", sync.map { "\(Self.rounded($0, digits: 3)) ms" },
        isDoubtful: sync.map { $0 < DiagnosisLimits.phoneSync }
      ) {
        Diagnosis(
          "a sync is faster than a phone's", evidence: $0,
          remedy: "a phone takes milliseconds: read orders and mechanisms, not seconds",
          grade: .good)
      },
    ]
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
    return MachineCheck(
      "memory", parts.isEmpty ? nil : parts.joined(separator: ", "),
      isDoubtful: (available ?? 100) < Self.leastAvailable
        || (memoryPressure ?? 0) > Self.mostPressure
    ) {
      Diagnosis("memory is short", evidence: $0, remedy: "close programs that use memory")
    }
  }

  private var pricesCheck: MachineCheck {
    MachineCheck("prices", "charged", isDoubtful: true) { _ in
      Diagnosis("times contain a device's prices", evidence: "main_priced_ms is main's part")
    }
  }

  private static func rounded(_ value: Double, digits: Int) -> String {
    let scale = [1.0, 10, 100, 1000][digits]
    let whole = (value * scale).rounded() / scale
    return (digits == 0 ? Int(exactly: whole).map(String.init) : nil) ?? String(whole)
  }
}
