import ArgumentParser
import Foundation
import SQLiteStore
import SoakSupport
import Support

/// Performs a story's steps, prints a line after each, and kills itself at a change of the disk.
struct Tell: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells one story of cuts, and is killed.", shouldDisplay: false)

  @Option var seed: UInt64
  @Option var store: String
  @Option var change: Int
  @Flag var tears = false

  func run() throws {
    let (story, url) = (CutStory(seed: seed), URL(filePath: store))
    let disk = KillingDisk(atChange: change, tears: tears)
    try SimulatedDisks.use(disk, for: url.deletingLastPathComponent()) {
      let world = CutWorld(url, story)
      for step in story.steps {
        try world.perform(step)
        FileHandle.standardOutput.write(Data("done\n".utf8))
      }
    }
  }
}

/// Kills the process before a change, or in the middle of a write. A kill at any other instant
/// leaves the same files: nothing else changes them, and the next process recovers shared memory.
private final class KillingDisk: SimulatedDisk {
  private let disk: CutDisk
  private let tears: Bool

  init(atChange change: Int, tears: Bool) {
    disk = CutDisk(cutAt: change)
    self.tears = tears
  }

  func decide(_ call: DiskCall) -> CInt {
    let code = disk.decide(call)
    guard disk.isCut else { return code }
    if tears, call.kind == .write { writeFirstPage(call) }
    kill(getpid(), SIGKILL)
    return code
  }

  /// A kill interrupts a write between two pages of the system's memory.
  private func writeFirstPage(_ call: DiskCall) {
    let size = Int(getpagesize())
    let count = size - call.offset % size
    guard count < call.bytes.count else { return }
    let file = open(call.path, O_WRONLY)
    pwrite(file, call.bytes.baseAddress, count, off_t(call.offset))
  }
}

struct Kills: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Kills processes at drawn changes of random stories.")

  @Option(help: "How many stories.") var stories = 200
  @Option(help: "How many processes are killed in each.") var kills = 5
  @Option(help: "The number of one kill.") var kill: Int?
  @Flag(help: "Print what each kill did.") var echo = false
  @OptionGroup var soak: SoakOptions

  func run() throws {
    var course = soak.begin("killed processes", count: stories)
    let folder = try TrialFolder()
    let begun = try FirstStores(in: folder.url)
    var (tried, early, problems) = (0, 0, 0)
    while let seed = course.next() {
      let trial = try CutTrial(folder: folder.url, stores: begun, story: CutStory(seed: seed))
      for number in kill.map({ $0...$0 }) ?? 1...kills {
        let (outcome, isEarly) = outcome { try trial.kill(number, echoes: echo) }
        tried += 1
        early += isEarly ? 1 : 0
        course.add(tries: isEarly ? 1 : 0, failures: outcome.problems.isEmpty ? 0 : 1)
        guard !outcome.problems.isEmpty else { continue }
        problems += 1
        print("Story \(seed):\n  \(outcome.problems.joined(separator: "\n  "))")
        print(
          "  To repeat: scripts/soak --faults kills --stories 1 --seed \(seed) --kill \(number)")
      }
    }
    print("\(tried) kills, \(early) of them before the end; \(problems) with problems")
    try soak.end(course)
  }

  /// An error is a problem of the try.
  private func outcome(
    _ kill: () throws -> (CutTrial.Outcome, isEarly: Bool)
  ) -> (CutTrial.Outcome, isEarly: Bool) {
    do { return try kill() } catch { return (CutTrial.Outcome(problems: ["\(error)"]), true) }
  }
}

extension CutTrial {
  /// A commit lies in the system's memory at least, which a process leaves behind.
  fileprivate func kill(_ number: Int, echoes: Bool) throws -> (Outcome, isEarly: Bool) {
    var generator = SplitMix64(seed: story.seed, stream: UInt64(number) + 1)
    let change = 1 + generator.next(below: changes)
    let tears = generator.nextBool()
    try begin()
    let child = try TellingProcess(story, url, change, tears: tears)
    child.awaitEnd()
    let done = child.steps
    if echoes { show(number, "\(tears ? "in" : "before") change \(change)", steps: done) }
    var outcome = try check(
      Promise(states: done...min(done + 1, states.count - 1), seen: done))
    outcome.problems += try reopen()
    if done < story.steps.count, !child.wasKilled {
      outcome.problems.append("the process failed after \(done) steps, before it was killed")
    }
    outcome.problems = outcome.problems.map { "kill at change \(change) of \(changes): \($0)" }
    return (outcome, child.wasKilled)
  }

  private func show(_ number: Int, _ moment: String, steps: Int) {
    let sizes = ["", "-wal"].map { FileManager.default.contents(atPath: url.path + $0)?.count ?? 0 }
    print(
      "story \(story.seed), kill \(number) \(moment) of \(changes): \(steps) steps,"
        + " \(sizes[0]) bytes of rows, \(sizes[1]) of WAL")
  }
}

/// A process that tells a story.
private final class TellingProcess {
  private let process = Process()
  private let output = Pipe()
  private(set) var steps = 0
  private(set) var wasKilled = false

  init(_ story: CutStory, _ store: URL, _ change: Int, tears: Bool) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments =
      ["tell", "--seed", "\(story.seed)", "--store", store.path, "--change", "\(change)"]
      + (tears ? ["--tears"] : [])
    process.standardOutput = output
    try process.run()
  }

  func awaitEnd() {
    let text = output.fileHandleForReading.readDataToEndOfFile()
    steps = text.count { $0 == UInt8(ascii: "\n") }
    process.waitUntilExit()
    wasKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }
}
