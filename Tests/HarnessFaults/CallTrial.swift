import Foundation
import Measurement
import SoakSupport

/// A run or a cell of which a system call fails, then, of a run, its undisturbed rest.
struct CallTrial {
  let place: TrialPlace
  let sound: SoundRun
  private(set) var problems: [String] = []
  private var end = ""
  private(set) var said = ""
  /// Empty if the target made too few calls.
  private(set) var failedCall = ""
  var hasFailed: Bool { !failedCall.isEmpty }
  var told: String { hasFailed ? end : "too few calls" }

  init(in base: TrialFolder, sound: SoundRun) throws {
    place = try TrialPlace(in: base, named: "call-\(UUID().uuidString)")
    self.sound = sound
  }

  /// The calls of an undisturbed target.
  static func counts(
    of target: CallFault.Target, in base: TrialFolder, _ sound: SoundRun
  ) throws -> CallCounts {
    try CallCounts.undisturbed(processes: target == .cell ? 1 : 1 + trials) {
      let trial = try CallTrial(in: base, sound: sound)
      return try trial.place.counts(trial.start(target, []))
    }
  }

  mutating func perform(_ fault: CallFault) throws {
    let command = try start(fault.target, fault.tracing)
    let end = command.awaitEnd(within: .seconds(90))
    (self.end, said) = (end?.description ?? "hang", command.said)
    failedCall = place.log
    let running = place.endProcessesLeft()
    if !running.isEmpty { problems.append("processes are left: \(running)") }
    if let end { check(end, fault) } else { problems.append("it hangs") }
    if fault.target == .cell {
      checkDocument(end)
    } else {
      checkRows()
      if problems.isEmpty { try finish() }
    }
    try place.remove()
  }

  static let trials = 2

  private var run: [String] {
    ["run"] + sound.work + ["--trials", "\(Self.trials)", "--output", "a.csv", "--resume"]
  }

  private func start(
    _ target: CallFault.Target, _ tracing: [String]
  ) throws -> StartedCommand {
    guard target == .cell else { return try StartedCommand(run, tracing: tracing, in: place) }
    let input = place.file("specification.json")
    try sound.specification(in: place).write(to: input)
    return try StartedCommand(
      ["cell"], tracing: tracing, in: place, input: input, output: place.file("document.json"))
  }

  // MARK: - Checks

  private mutating func check(_ end: StartedCommand.End, _ fault: CallFault) {
    switch end {
    case .status(0), .status(3), .status(4): break
    case .status(1), .status(64):
      if !said.contains("Error: ") { problems.append("\(end) without a message") }
    // The system's loader maps files and memory before the program begins, and says what it lacks.
    case .status(127) where said.contains("loading shared libraries") || said == "out of memory\n":
      break
    // The loader crashes where it does not check its own memory. The program has said nothing yet.
    case .signal(SIGSEGV) where fault.call.kind.name == "mmap" && said.isEmpty: break
    // A queue without its thread would keep others waiting.
    case .signal where fault.call.kind.name.hasPrefix("clone") && said.contains(Self.noThread):
      break
    // Swift's runtime aborts if an allocation fails. The next run removes the folder.
    case .signal(SIGABRT) where fault.call.kind.name == "mmap": return
    // Dispatch silently stops a process if it cannot read the state of a worker's thread:
    // swift-corelibs-libdispatch, src/event/workqueue.c.
    case .signal(SIGILL) where said.isEmpty && failedCall.contains(Self.workerState): return
    default: problems.append("it ended with \(end)")
    }
    let left = place.leftovers()
    if fault.target != .cell, !left.isEmpty { problems.append("left behind: \(left)") }
  }

  private static var workerState: Regex<Substring> { /openat:.+'\/proc\/[0-9]+\/stat'/ }

  private static let noThread = "the system cannot start another thread"

  private mutating func checkRows() {
    do {
      let rows = try place.rows("a.csv")
      problems += rows.compactMap(problem)
    } catch {
      problems.append("a complete row cannot be read: \(error)")
    }
  }

  private func problem(of row: CellResult) -> String? {
    if [.ok, .suspect].contains(row.status) { return sound.difference(to: row) }
    return row.error.isEmpty ? "row \(row.order) is \(row.status), without an error" : nil
  }

  private mutating func checkDocument(_ end: StartedCommand.End?) {
    let bytes = place.bytes("document.json")
    guard end == .status(0) else {
      if !bytes.isEmpty, end != nil { problems.append("a failed cell gave a document") }
      return
    }
    do {
      let result = try JSONDecoder().decode(Document.self, from: Data(bytes)).result
      problem(of: result).map { problems.append($0) }
    } catch {
      problems.append("the document cannot be read: \(error)")
    }
  }

  private struct Document: Decodable {
    let result: CellResult
  }

  private mutating func finish() throws {
    place.ageDrafts()
    let command = try StartedCommand(run, in: place)
    let end = command.awaitEnd()
    // Without a boot, the rows might be another machine's.
    let isUnknown = command.said.contains("or nothing tells that it is the same: boot was")
    if failedCall.contains("/boot_id"), end == .status(64), isUnknown { return }
    if ![0, 3, 4].map(StartedCommand.End.status).contains(end) {
      problems.append("resumed, it ended with \(end?.description ?? "a hang"): \(command.said)")
    }
    checkRows()
    let orders = (try? place.rows("a.csv"))?.map(\.order).sorted()
    if orders != Array(1...Self.trials) {
      problems.append("resumed, it has the cells \(orders ?? [])")
    }
    let left = place.leftovers()
    if !left.isEmpty { problems.append("the next run left behind: \(left)") }
  }
}

extension SoundRun {
  /// A cell's specification, as a runner gives it.
  fileprivate func specification(in place: TrialPlace) throws -> Data {
    let document = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: documents[0])))
    guard let document = document as? [String: Any],
      var specification = document["specification"] as? [String: Any]
    else { throw Unsound("a document has no specification") }
    let folder = place.temporary.appending(path: "cell-1")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    specification["folder"] = folder.path
    return try JSONSerialization.data(withJSONObject: specification)
  }
}
