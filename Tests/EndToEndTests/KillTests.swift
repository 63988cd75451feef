import Foundation
import Measurement
import Support
import Testing

/// Kills runs at random moments and resumes them until they are complete. `scripts/soak` sets
/// `TOPOBENCH_KILLS`.
@Suite("Random kills", .serialized)
struct KillTests {
  private static let kills =
    ProcessInfo.processInfo.environment["TOPOBENCH_KILLS"].flatMap { Int($0) } ?? 30
  private static let trials = 4

  /// A signal to the runner alone, or first to its cell, as a signal to all processes may arrive.
  private enum Kill: CaseIterable {
    case killRunner, terminateRunner, interruptRunner, interruptAll, terminateAll

    var signal: Int32 {
      switch self {
      case .killRunner: SIGKILL
      case .terminateRunner, .terminateAll: SIGTERM
      case .interruptRunner, .interruptAll: SIGINT
      }
    }

    var hitsCells: Bool { [.interruptAll, .terminateAll].contains(self) }
  }

  private let command: CommandRun
  private let temporary: URL

  init() throws {
    command = CommandRun()
    temporary = try command.makeFolder("tmp")
  }

  private func process() -> Process {
    command.process(
      CommandRun.small(trials: Self.trials, rows: 60) + ["--quiet", "--resume"],
      environment: ["TMPDIR": temporary.path])
  }

  @Test func `a run that is killed at any moment resumes without a lost or false row`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("kills: seed \(seed)")
    var random = SplitMix64(seed: seed)
    var tally: [String: Int] = [:]
    let whole = try complete()
    let longest = try measure { try complete() } / 2
    for number in 1...Self.kills {
      let kill = Kill.allCases[random.next(below: Kill.allCases.count)]
      let delay = random.next(below: Int(longest * 1e6))
      let before = rows()
      let outcome = try run(kill, afterMicroseconds: delay)
      tally["\(kill): \(outcome)", default: 0] += 1
      let place = "seed \(seed), kill \(number): \(kill) after \(delay) µs, \(outcome)"
      expectSoundRows(after: before, place)
      guard rows().count == Self.trials else { continue }
      try expectWhole(like: whole, place)
      try removeReport()
    }
    #expect(try complete() == whole, "seed \(seed), at the end")
    print(
      "kills: " + tally.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", "))
  }

  private func run(_ kill: Kill, afterMicroseconds delay: Int) throws -> String {
    let process = process()
    try process.run()
    let moment = ContinuousClock.now + .microseconds(delay)
    while ContinuousClock.now < moment { sched_yield() }
    let cells =
      kill.hitsCells ? command.processesLeft().filter { $0 != process.processIdentifier } : []
    for target in cells + [process.processIdentifier] { Foundation.kill(target, kill.signal) }
    process.waitUntilExit()
    // The cell of a killed runner is signalled at once, but needs a moment to end.
    while !command.processesLeft().isEmpty { sched_yield() }
    let status = process.terminationStatus
    guard process.terminationReason == .exit else {
      // Before the runner handles signals, they end it.
      #expect(status == kill.signal)
      return "ended by the signal"
    }
    #expect([0, 130].contains(status))
    return "exit status \(status)"
  }

  private func rows() -> [CellResult] {
    let path = command.folder.appendingPathComponent("a.csv").path
    guard let bytes = FileManager.default.contents(atPath: path).map(Array.init) else { return [] }
    return (try? CellCSV.decode(Array(bytes.prefix(CellCSV.endOfLastRow(in: bytes))))) ?? []
  }

  private func expectSoundRows(after before: [CellResult], _ place: String) {
    let rows = rows()
    #expect(Array(rows.prefix(before.count)) == before, "\(place)")
    #expect(rows.allSatisfy { $0.status == .ok }, "\(place): \(rows.map(\.error))")
    #expect(rows.map(\.order) == Array(1...Self.trials).prefix(rows.count).map { $0 }, "\(place)")
  }

  /// - Returns: the cells' fingerprints.
  private func complete() throws -> [String] {
    let process = process()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let fingerprints = rows().map(\.fingerprint)
    try expectWhole(like: fingerprints, "complete")
    try removeReport()
    return fingerprints
  }

  private func measure(_ body: () throws -> [String]) rethrows -> Double {
    let start = ContinuousClock.now
    _ = try body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private func expectWhole(like fingerprints: [String], _ place: String) throws {
    let rows = rows()
    #expect(rows.map(\.fingerprint) == fingerprints, "\(place)")
    #expect(rows.count == Self.trials && Set(rows.map(\.runID)).count == 1, "\(place)")
    let files = try command.files(in: "a.cells")
    #expect(files.count == Self.trials, "\(place): \(files)")
  }

  private func removeReport() throws {
    for name in ["a.csv", "a.cells", "a.env.json"] {
      try FileManager.default.removeItem(at: command.folder.appendingPathComponent(name))
    }
    #expect(try command.files() == ["tmp"])
    let folders = try command.files(in: "tmp")
    // A folder without its lock stays for a minute.
    #expect(
      folders.count { !$0.hasSuffix(".new") } <= 1,
      "the next run removes the folder of a killed one: \(folders)")
  }
}
