import Judging

/// The properties of the machine, each declared here only. Those with a check have the order of the
/// doctor's table.
package struct MachineProperties: Sendable {
  static let declared = MachineProperties()

  package let hostID: MachineProperty<String> = .init(
    .setting, "host_id",
    "a digest of machine-id, CPU and network cards, of a virtual machine of boot, CPU and network cards."
      + " It is equal on one machine, and on machines resumed from one snapshot"
  ) { _ in Machine.hostID }

  package let boot: MachineProperty<String> = .init(
    .setting, "boot",
    "a digest of the kernel's boot; where `host_id` is unavailable, only the same boot is the same machine"
  ) { _ in Machine.identity.boot }

  package let cpu: MachineProperty<String> = .init(.setting, "cpu", "the processor's name") { _ in
    Machine.cpu
  }

  package let os: MachineProperty<String> = .init(.setting, "os", "the operating system") { _ in
    Machine.os
  }

  package let kernel: MachineProperty<String> = .init(.setting, "kernel", "the kernel's release") {
    _ in
    Machine.kernel
  }
  .compared(as: "kernel")

  package let cores: MachineProperty<Int> = .init(.setting, "cores", "the processors in use") { _ in
    Machine.cores
  }
  .compared(as: "cores")
  .checked("cores", isDoubtful: { $0 < busyThreads }) { _, machine in
    Diagnosis(
      "a cell has more busy threads than the machine has cores",
      evidence: "\(busyThreads) threads, \(Figures.counted(machine.cores ?? 0, "core"))",
      remedy: "use a machine with more cores; main_gap_runqueue_ms shows what it cost")
  }

  /// Main, the worker, and a parent on its private queue.
  private static let busyThreads = 3

  // MARK: Processors

  package let isVirtual: MachineProperty<Bool> = .init(
    .state, "virtual_machine", "whether the processors are a virtual machine's"
  ) { _ in Machine.isVirtual }
  .checked { machine in
    // The host probably gives a sleeping virtual processor to other guests and returns it late.
    let isAwake = machine.keepsAwake ?? false
    let kind = machine.isVirtual.map { $0 ? "virtual" : "real" }
    return MachineCheck(
      "processors", kind.map { isAwake ? "\($0), kept awake" : $0 },
      isDoubtful: machine.isVirtual.map { $0 && !isAwake }
    ) { _ in
      Diagnosis(
        "virtual processors that sleep may wake up late",
        remedy: "see whether `topobench doctor --keep-awake` finds less noise; if so, give"
          + " --keep-awake to run and duet, on both sides of a comparison", grade: .good)
    }
  }

  // Builds that do not report this setting cannot keep processors awake.
  package let keepsAwake: MachineProperty<Bool> = .init(
    .setting, "processors_kept_awake", "whether processors were kept awake while cells ran",
    fallback: false
  ) { $0.keepsAwake }
  .compared(as: "use of --keep-awake") { $0 ? "with it" : "without" }

  package let loadAverage: MachineProperty<[Double]> = .init(
    .state, "load_average",
    "runnable threads, those at SCHED_IDLE too, on average over 1, 5 and 15 minutes"
  ) { $0.loadAverage }
  .checked { machine in
    let text = machine.disturbingLoad.map { rounded($0, digits: 2) }
    let isBusy = machine.isBusy(machine.disturbingLoad)
    // The average contains loads that have ended or that disturb no cell.
    let isOver = isBusy != true && machine.isBusy(machine.load) == true
    let average = machine.load.map {
      isOver ? " now, \(rounded($0, digits: 2)) on average" : ""
    }
    return MachineCheck("load", text.map { $0 + (average ?? "") }, isDoubtful: isBusy) { _ in
      Diagnosis(
        "other programs use the machine",
        evidence: "load \(text ?? "") on \(Figures.counted(machine.cores ?? 0, "core"))",
        remedy: "let nothing else run")
    }
  }

  package let competing: MachineProperty<Double> = .init(
    .state, "competing_threads",
    "running or runnable threads of other processes before the first cell, without those at"
      + " SCHED_IDLE. The load is the lower of this and the average"
  ) { $0.competing }

  package let steal: MachineProperty<Double> = .init(
    .state, "steal_percent",
    "processor time of the host's other guests, during the run; without a run, since boot"
  ) { $0.steal }
  .checked(
    "steal", { "\(rounded($0, digits: 2)) %" },
    isDoubtful: { $0 > DiagnosisLimits.noticeableSteal * 100 }
  ) { steal, _ in
    Diagnosis(
      "other guests of the host take processor time", evidence: steal,
      remedy: "use a machine of your own, or duet, whose noise affects both builds")
  }

  package let governor: MachineProperty<String> = .init(
    .setting, "governor", "the clock's governor, such as `performance`"
  ) { _ in Machine.governor }
  .compared(as: "governor")
  .checked("governor", isDoubtful: { $0 != "performance" }) { governor, _ in
    Diagnosis(
      "the clock frequency varies", evidence: "governor \(governor)",
      remedy: "sudo cpupower frequency-set --governor performance")
  }

  package let turbo: MachineProperty<Switch> = .init(
    .setting, "turbo", "`on` if the clock may rise above what the processor can hold"
  ) { _ in Machine.turbo.map(Switch.init) }
  .checked("turbo", isDoubtful: { $0 == .on }) { _, _ in
    Diagnosis(
      "the clock may rise above what the processor can hold", evidence: "turbo on",
      remedy: "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
        + " (elsewhere: echo 0 into cpufreq/boost)", grade: .good)
  }

  package let addressRandomisation: MachineProperty<Switch> = .init(
    .state, "address_randomisation", "`on` if each process has its memory at other addresses"
  ) { _ in Machine.randomisesAddresses.map(Switch.init) }
  .checked("address randomisation", isDoubtful: { $0 == .on }) { _, _ in
    Diagnosis(
      "each process has its memory at other addresses", evidence: "address randomisation on",
      remedy: "setarch --addr-no-randomize topobench …; or leave it: fresh processes average"
        + " over it", grade: .good)
  }

  package let wakeUp: MachineProperty<Double> = .init(
    .state, "wake_up_latency_ms", "how late a thread wakes up from a wait, in ms"
  ) { _ in Machine.wakeUpLatency }
  .checked(
    "wake-up latency", { "\(rounded($0, digits: 3)) ms" },
    isDoubtful: { $0 > DiagnosisLimits.lateWakeUp }
  ) { latency, machine in
    Diagnosis(
      "this machine wakes a waiting thread late", evidence: "by \(latency), the median",
      remedy: machine.keepsAwake == true
        ? "let nothing else run; on a virtual machine, take one with processors of its own"
        : "--keep-awake, if `topobench doctor --keep-awake` finds less noise; let nothing else"
          + " run")
  }

  package let runQueueDelay: MachineProperty<Double> = .init(
    .state, "run_queue_delay_percent", "the time for which a busy thread waited for a core"
  ) { $0.runQueueDelay }
  .checked(
    "run-queue delay", { "\(rounded($0, digits: 1)) %" },
    isDoubtful: { $0 > DiagnosisLimits.noticeableShare * 100 }
  ) { delay, _ in
    Diagnosis(
      "a thread that wants to run waits for a core", evidence: "\(delay) of its time",
      remedy: "let nothing else run, or use a machine with more cores")
  }

  // MARK: Disk and memory

  package let fileSystem: MachineProperty<String> = .init(
    .setting, "store_file_system", "the file system of the folder with the stores"
  ) { Machine.fileSystem(of: $0.folder) }
  .compared(as: "file system")
  .checked("file system", isDoubtful: isUnlikeDisk) { kind, _ in
    Diagnosis(
      "the stores are not on a disk of this machine", evidence: "file system \(kind)",
      remedy: "name a folder on a disk with --disk DIR")
  }

  package let sync: MachineProperty<Double> = .init(
    .state, "sync_ms", "the median time of one fsync on that file system, in ms"
  ) { SyncTime.median(in: $0.folder) }
  // A phone's flash takes milliseconds for a sync.
  .checked("sync", { "\(rounded($0, digits: 3)) ms" }, isDoubtful: { $0 < 1 }) { sync, _ in
    Diagnosis(
      "a sync is faster than a phone's", evidence: sync,
      remedy: "a phone takes milliseconds: read orders and mechanisms, not seconds", grade: .good)
  }

  // MARK: Memory

  package let memoryMiB: MachineProperty<Double> = .init(
    .setting, "memory_mib", "the machine's memory, in MiB"
  ) { _ in Machine.memoryMiB }
  .checked { machine in
    let available = machine.availableMiB.flatMap { available in
      machine.memoryMiB.map { available / max(1, $0) * 100 }
    }
    let waits = machine.memoryPressure.flatMap {
      $0 > 0 ? "waits \(rounded($0, digits: 1)) %" : nil
    }
    let parts = [available.map { "\(rounded($0, digits: 0)) % free" }, waits].compactMap { $0 }
    return MachineCheck(
      "memory", parts.isEmpty ? nil : parts.joined(separator: ", "),
      isDoubtful: (available ?? 100) < 10 || (machine.memoryPressure ?? 0) > 1
    ) { Diagnosis("memory is short", evidence: $0, remedy: "close programs that use memory") }
  }

  package let availableMiB: MachineProperty<Double> = .init(
    .state, "available_memory_mib", "the memory that a program can have without swapping, in MiB"
  ) { _ in Machine.availableMiB?.rounded() }

  package let memoryPressure: MachineProperty<Double> = .init(
    .state, "memory_pressure_percent",
    "time in the last ten seconds in which something waited for memory"
  ) { _ in Machine.memoryPressure }
}

/// In memory, or on another machine.
private func isUnlikeDisk(_ fileSystem: String) -> Bool {
  ["tmpfs", "ramfs", "nfs", "nfs4", "cifs", "smb3", "9p", "fuse"]
    .contains(String(fileSystem.prefix { $0 != "." }))
}

private func rounded(_ value: Double, digits: Int) -> String {
  let scale = [1.0, 10, 100, 1000][digits]
  let whole = (value * scale).rounded() / scale
  return (digits == 0 ? Int(exactly: whole).map(String.init) : nil) ?? String(whole)
}
