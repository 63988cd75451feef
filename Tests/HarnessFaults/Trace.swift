import ArgumentParser
import Foundation

/// Runs a command, and disturbs it before one of its calls:
///
///     command ── openat ── write ── rename ─╳   the call fails, or processes get signals
struct Trace: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a command, and disturbs it before one of its system calls.",
    discussion: "Without --at, counts its calls. Ends as the command does.")

  @Option(help: "A call: process, name, file and number, such as 0:rename:a.csv:1.")
  var at: String?
  @Option(help: "The call's error, such as EIO.") var error: CallFault.Failure?
  @Option(help: "What processes get instead.") var signal: Ending.Signal?
  @Option(help: "Who gets it.") var target: Ending.Target = .runner
  @Option(help: "Microseconds between a stop and what follows.") var pause = 0
  @Option(help: "The file of the counts, or of what was done.") var log: String
  @Argument(parsing: .postTerminator) var command: [String]

  func run() throws {
    let call = at.flatMap { CountedCall($0) }
    guard at == nil || call != nil else {
      throw ValidationError("--at: must look like 0:rename:a.csv:1, not \(at ?? "")")
    }
    // By its first program, a process gets its number.
    let names = call.map { [$0.kind.name, "execve"] } ?? TracedCommand.names
    var traced = try TracedCommand(command, names: names)
    var disturbance = Disturbance(self, at: call)
    while true {
      switch traced.next(waits: !disturbance.isPending) {
      case .call(let kind, let thread): try disturbance.meet(kind, thread, of: traced)
      case .nothing: try disturbance.goOn(traced)
      case .end(let status):
        if call == nil {
          try disturbance.counts.text.write(to: file, atomically: false, encoding: .utf8)
        }
        try end(status)
      }
    }
  }

  fileprivate var file: URL { URL(filePath: log) }

  private func end(_ status: Int32) throws -> Never {
    let number = status & 0x7f
    guard number != 0 else { throw ExitCode(status >> 8 & 0xff) }
    TracedCommand.end(by: number)
  }
}

/// Counts calls until the one that is disturbed.
private struct Disturbance {
  private let options: Trace
  private let call: CountedCall?
  private(set) var counts = CallCounts()
  private var done = ""
  private var signals: ArraySlice<Int32> = []
  private var due = ContinuousClock.now

  init(_ options: Trace, at call: CountedCall?) { (self.options, self.call) = (options, call) }

  /// Whether signals follow.
  var isPending: Bool { !signals.isEmpty }

  mutating func meet(
    _ kind: CallKind, _ thread: TracedCommand.StoppedThread, of traced: TracedCommand
  ) throws {
    let number = counts.add(kind)
    guard call == CountedCall(kind, number) else { return traced.goOn(thread) }
    guard let failure = options.error else {
      signals = options.signal?.numbers[...] ?? []
      try sendNext(traced, at: thread)
      return traced.goOn(thread)
    }
    try note("\(kind):\(number) = \(failure), for '\(thread.file)'")
    traced.goOn(thread, failingWith: failure.number)
  }

  mutating func goOn(_ traced: TracedCommand) throws {
    if ContinuousClock.now >= due { try sendNext(traced) } else { poll(nil, 0, 1) }
  }

  private mutating func sendNext(
    _ traced: TracedCommand, at thread: TracedCommand.StoppedThread? = nil
  ) throws {
    guard let number = signals.popFirst() else { return }
    if traced.send(number, to: options.target, at: thread) {
      try note("signal \(number) to \(options.target.rawValue)")
    }
    due = .now + .microseconds(options.pause)
  }

  /// At once: a command may hang.
  private mutating func note(_ text: String) throws {
    done += text + "\n"
    try done.write(to: options.file, atomically: false, encoding: .utf8)
  }
}
