import ArgumentParser
import Foundation
import Queues
import SoakSupport

extension InterleavingSoak {
  #if TOPOBENCH_PLANTED_BUGS
    /// Each try is a bug. It fails if the bug is not found in as many schedules as the bound gives
    /// at 99 %, or if a command that the failure prints does not repeat it.
    func findPlantedBugs() throws {
      let bugs = PlantedBug.allCases
      // All bugs are hunted from the first seed.
      var course = soak.begin("planted bugs", count: 1, tries: bugs.count)
      while let seed = course.next() {
        for bug in bugs { course.add(failures: try isFound(bug, seed: seed) ? 0 : 1) }
      }
      print("\(bugs.count) planted bugs; \(course.failures) missed")
      try soak.end(course)
    }

    private func isFound(_ bug: PlantedBug, seed: UInt64) throws -> Bool {
      defer { fflush(nil) }
      let hunt = "--story \(bug.hunt.story) --depth \(bug.hunt.depth) --confident --seed \(seed)"
      let output = try output(of: bug, hunt)
      guard let found = output.firstMatch(of: /schedule ([0-9]+)\):\n  (.{0,80})/) else {
        print("\(bug.rawValue): missed\n\(output)")
        return false
      }
      let most = output.matches(of: /At most ([0-9]+)/).last?.1
      let order = most.map { "schedule \(found.1) of at most \($0)" } ?? "the usual schedule"
      print("\(bug.rawValue): \(order) of \(bug.hunt.story): \(found.2)")
      let commands = output.matches(of: /(?:To repeat|From the seed): .*?(--story .+)/)
      guard commands.count == (most == nil ? 1 : 2) else {
        print("\(bug.rawValue): no command to repeat it\n\(output)")
        return false
      }
      for again in commands.map(\.1) {
        guard try self.output(of: bug, String(again)).contains(found.2) else {
          print("\(bug.rawValue): not repeated by \(again)\n\(output)")
          return false
        }
      }
      return true
    }

    private func output(of bug: PlantedBug, _ arguments: String) throws -> String {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = arguments.split(separator: " ").map(String.init)
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["TOPOBENCH_PLANTED_BUG": bug.rawValue]
      ) { $1 }
      process.standardOutput = pipe
      try process.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      // Each process has a folder of its own.
      return String(decoding: output, as: UTF8.self).replacing(
        /topobench-soak-[-0-9A-F]+/, with: "topobench-soak")
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
