import Foundation
import Measurement
import SoakSupport
import Support

/// Disturbs a command some times, repeats or resumes it, and lets the last one finish:
///
///     run ─╳  run --resume ─╳  run --resume ─▶ exactly the plan, nothing left behind
///     duet --force ─╳  duet --force ─╳  run  ─▶ nothing left behind
///     collect --force ─╳  collect --force    ─▶ the report of an undisturbed collection
struct KillTrial: CustomStringConvertible {
  enum Work: CaseIterable {
    case run, recordedRun, duet, collect
  }

  private let base: TrialFolder
  let place: TrialPlace
  let sound: SoundRun
  let work: Work
  private let finishesDuet: Bool
  static let late = "too late"
  private(set) var problems: [String] = []
  /// What each ending led to, such as `group: signal 9`.
  private(set) var ends: [String] = []
  private var random: SplitMix64
  private var endings: [Ending] = []

  /// - Parameter sounds: of each topology.
  init(seed: UInt64, in base: TrialFolder, sounds: [SoundRun]) throws {
    random = SplitMix64(seed: seed)
    self.base = base
    place = try TrialPlace(in: base, named: "kill-\(seed)")
    sound = sounds[random.next(below: sounds.count)]
    // A whole duet takes as long as five runs.
    work =
      [.run, .run, .run, .run, .recordedRun, .recordedRun, .duet, .collect, .collect, .collect][
        random.next(below: 10)]
    finishesDuet = random.next(below: 8) == 0
  }

  mutating func perform() throws {
    for _ in 0..<1 + random.next(below: 4) where problems.isEmpty && !isComplete {
      try end(drawn())
    }
    if problems.isEmpty { try finish() }
    try place.remove()
  }

  var description: String {
    "\(work), " + zip(endings, ends).map { "\($0): \($1)" }.joined(separator: "; ")
  }

  private var isComplete: Bool { report == "a" && rows.count == Tested.trials }

  private var report: String { [.run, .recordedRun].contains(work) ? "a" : "b" }

  private var arguments: [String] {
    switch work {
    case .run: run
    case .recordedRun: run + ["--record"]
    case .duet:
      ["duet", "--baseline-binary", Tested.program, "--candidate-binary", Tested.program]
        + sound.work + ["--most-pairs", "8", "--output", "b.csv", "--force"]
    case .collect: ["collect"] + sound.documents + ["--output", "b.csv", "--force"]
    }
  }

  private var run: [String] {
    ["run"] + sound.work + ["--trials", "\(Tested.trials)", "--output", "a.csv", "--resume"]
  }

  // MARK: - Ending

  private func counted() throws -> CallCounts {
    let place = try TrialPlace(in: base, named: "counted-\(UUID().uuidString)")
    return try place.counts(StartedCommand(arguments, tracing: [], in: place))
  }

  private mutating func drawn() throws -> Ending {
    let counts = try sound.counts(of: work) {
      switch work {
      // One of its many cells may run again, and adds calls of the runner.
      case .duet: try counted().limited(to: 16, of: 0)
      case .run, .recordedRun:
        try CallCounts.undisturbed(processes: 1 + Tested.trials, count: counted)
      case .collect: try counted()
      }
    }
    // A repeated run has fewer cells.
    let cells =
      switch work {
      case .run, .recordedRun: Tested.trials - rows.count
      case .duet: Tested.trials
      case .collect: 0
      }
    guard let ending = Ending(counts, processes: cells, using: &random) else {
      throw Unsound("\(work) makes no call")
    }
    return ending
  }

  private mutating func end(_ ending: Ending) throws {
    endings.append(ending)
    let before = place.bytes("\(report).csv")
    let command = try StartedCommand(arguments, tracing: ending.tracing, in: place)
    let end = command.awaitEnd()
    let isDelivered = !place.log.isEmpty
    ends.append("\(ending.target): \(isDelivered ? end?.description ?? "hang" : Self.late)")
    let running = place.endProcessesLeft()
    if !running.isEmpty { problems.append("processes are left: \(running)") }
    if end == nil { problems.append("it hangs") }
    checkRows(keeping: before)
    if let end, !isDocumented(end, after: ending) { problems.append("it ended with \(end)") }
    guard !problems.isEmpty else { return }
    problems = problems.map { "\(work), \(ending): \($0)" } + ["it said: \(command.said)"]
  }

  private func isDocumented(_ end: StartedCommand.End, after ending: Ending) -> Bool {
    let signals = ending.target == .cell ? [] : ending.signal.numbers
    switch end {
    case .signal(let number): return signals.contains(number)
    case .status(130):
      return signals.contains { [SIGINT, SIGTERM, SIGHUP].contains($0) }
    case .status(3): return rows.contains { $0.status == .crashed }
    // A duet whose question to a binary was killed.
    case .status(5), .status(1): return work == .duet && ending.target.includesCells
    case .status(2): return work == .duet
    case .status(let status): return [0, 4].contains(status)
    }
  }

  // MARK: - Rows

  private var rows: [CellResult] { (try? place.rows("\(report).csv")) ?? [] }

  /// - Parameter before: the bytes of the report before the command.
  private mutating func checkRows(keeping before: [UInt8]) {
    let bytes = place.bytes("\(report).csv")
    let kept = before.prefix(CellCSV.endOfLastRow(in: before))
    if report == "a", !bytes.starts(with: kept) { problems.append("rows are lost or changed") }
    do {
      let rows = try place.rows("\(report).csv")
      if Set(rows.map(\.order)).count < rows.count { problems.append("a row is there twice") }
      problems += rows.compactMap(problem)
    } catch {
      problems.append("a complete row cannot be read: \(error)")
    }
  }

  private func problem(of row: CellResult) -> String? {
    switch row.status {
    case .ok, .suspect: sound.difference(to: row)
    case .crashed where endings.contains { $0.target.includesCells && $0.signal.endsProcesses }:
      row.error.isEmpty ? "row \(row.order) tells no error" : nil
    default: "row \(row.order) is \(row.status): \(row.error)"
    }
  }

  // MARK: - The undisturbed end

  private mutating func finish() throws {
    place.ageDrafts()
    let isOther = work == .duet && !finishesDuet
    let command = try StartedCommand(
      isOther ? ["run"] + sound.work + ["--trials", "1", "--output", "c.csv"] : arguments,
      in: place)
    let end = command.awaitEnd()
    let allowed: [Int32] = work == .duet ? [0, 2, 4] : [0, 3, 4]
    if !allowed.map(StartedCommand.End.status).contains(end) {
      problems.append("the last command ended with \(end?.description ?? "a hang")")
    }
    if !isOther { checkWhole() }
    let left = place.leftovers().filter { !isOther || $0.hasPrefix("tmp/") }
    if !left.isEmpty { problems.append("left behind: \(left)") }
    guard !problems.isEmpty else { return }
    let told = endings.map { "\($0)" }.joined(separator: "; ")
    problems = problems.map { "\(work), after \(told): \($0)" } + ["it said: \(command.said)"]
  }

  private mutating func checkWhole() {
    checkRows(keeping: [])
    let rows = rows
    switch work {
    case .collect:
      if place.bytes("b.csv") != sound.collected {
        problems.append("the report differs from that of an undisturbed collection")
      }
    case .duet:
      if rows.count < 16 { problems.append("\(rows.count) rows") }
      if rows.contains(where: { $0.status == .crashed }) { problems.append("a crashed row") }
    case .run, .recordedRun:
      if rows.map(\.order).sorted() != Array(1...Tested.trials) {
        problems.append("the rows are those of the cells \(rows.map(\.order))")
      }
      if Set(rows.map(\.runID)).count != 1 { problems.append("rows of several runs") }
    }
    checkDocuments(of: rows)
  }

  /// Each row has its document, and each sound row of a recorded run its recording.
  private mutating func checkDocuments(of rows: [CellResult]) {
    let names = place.documents(of: report)
    let recorded = names.filter { $0.hasSuffix(".events.json") }
    if names.count - recorded.count != rows.count {
      problems.append("\(rows.count) rows, and the documents \(names)")
    }
    let sound = rows.count { $0.status != .crashed }
    if work == .recordedRun, !(sound...rows.count).contains(recorded.count) {
      problems.append("\(sound) sound rows, and the recordings \(recorded)")
    }
    for name in names {
      let bytes = Data(place.bytes("\(report).cells/\(name)"))
      if (try? JSONSerialization.jsonObject(with: bytes)) == nil {
        problems.append("\(name) is no JSON")
      }
    }
  }
}
