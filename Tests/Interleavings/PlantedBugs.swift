import ArgumentParser
import Foundation
import Queues
import SoakSupport

extension InterleavingSoak {
  #if TOPOBENCH_PLANTED_BUGS
    /// Fails if a bug is not found in as many schedules as the bound gives at 99 %.
    func findPlantedBugs() throws {
      let first = soak.seed ?? .random(in: 0..<1 << 32)
      print("\(PlantedBug.allCases.count) planted bugs from seed \(first)")
      var missed = 0
      for bug in PlantedBug.allCases {
        let output = try output(of: bug, seed: first)
        let most = output.firstMatch(of: /At most ([0-9]+)/)?.1
        if let found = output.firstMatch(of: /schedule ([0-9]+)\):\n  (.{0,80})/) {
          let order = most.map { "schedule \(found.1) of at most \($0)" } ?? "the usual schedule"
          print("\(bug.rawValue): \(order) of \(bug.hunt.story): \(found.2)")
        } else {
          missed += 1
          print("\(bug.rawValue): missed\n\(output)")
        }
        fflush(nil)
      }
      print("\(PlantedBug.allCases.count) planted bugs; \(missed) missed")
      if missed > 0 { throw ExitCode(1) }
    }

    private func output(of bug: PlantedBug, seed: UInt64) throws -> String {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [
        "--story", bug.hunt.story, "--depth", "\(bug.hunt.depth)", "--confident", "--seed",
        "\(seed)",
      ]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["TOPOBENCH_PLANTED_BUG": bug.rawValue]
      ) { $1 }
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: output, as: UTF8.self)
    }
  #else
    func findPlantedBugs() throws {
      throw ValidationError("build with --traits PlantedBugs to look for planted bugs")
    }
  #endif
}

#if TOPOBENCH_PLANTED_BUGS
  extension PlantedBug {
    /// The story that finds it, and how many orders of two steps it needs.
    var hunt: (story: String, depth: Int) {
      switch self {
      case .splitTurn: ("queues,private-queue", 3)
      case .lostWakeUp: ("queues,charged-semaphore", 2)
      case .lostBlock: ("queues,main-inbox", 2)
      case .wakeTwice: ("queues,signals", 2)
      case .endlessThread: ("queues,private-queue-closing", 2)
      case .earlyMerge: ("contexts,listeners,pool", 2)
      case .unregisteringRace: ("contexts,listeners,pool", 2)
      case .staleRow: ("contexts,replaced-rows,pool", 2)
      case .earlyUnpin: ("contexts,generations,pool", 2)
      case .droppedRefresh: ("refetch-coalesced,pool,two-writers", 2)
      }
    }
  }
#endif
