import Foundation
import Harness
import Judging
import Measurement
import Queues
import Reports
import Topologies

/// Shows a run's progress, in the process that starts the cells.
final class ProgressDisplay: CellObserver {
  // Written while the lock is held, so that two drawings do not mix.
  private let pen: Lock<ProgressPen>
  private let start = SystemClock().now()
  private let processor = Lock(ProcessorWatch())

  private init(on surface: ProgressPen.Surface, length: Duration?) {
    let progress = RunProgress(topologies: KnownTopologies.all.map(\.name), length: length)
    pen = Lock(ProgressPen(progress, on: surface, style: .standardError))
  }

  /// Restores the terminal at the end. A run that is limited by time has a `length`.
  static func show<Result>(
    if isWanted: Bool, length: Duration? = nil,
    while body: (ProgressDisplay?) async throws -> Result
  ) async throws -> Result {
    guard isWanted, let surface = ProgressPen.Surface.standardError else {
      return try await body(nil)
    }
    let display = ProgressDisplay(on: surface, length: length)
    Terminal.noticeContinuing()
    let ticking = Task.detached { [weak display] in
      while (try? await Task.sleep(for: ProgressPen.betweenTicks)) != nil { display?.tick() }
    }
    defer {
      ticking.cancel()
      display.end()
    }
    return try await body(display)
  }

  private var now: Duration { SystemClock().now() - start }

  func planned(_ cells: [CellKey], finished: [CellResult]) {
    pen.withLock { $0.progress.plan(cells, finished: finished) }
  }

  func began(_ cell: CellKey) {
    let now = now
    pen.withLock { pen in
      pen.progress.begin(cell, at: now)
      guard pen.isDue(at: now) else { return }
      pen.progress.processor = processor.withLock { $0.look() }
      StandardStreams.say(pen.write(at: now, Self.surface(of: &pen)))
    }
  }

  func ended(_ cell: CellKey, as result: CellResult) {
    // The end is drawn when the next cell begins, so that one drawing shows both.
    let now = now
    pen.withLock { $0.progress.end(cell, as: result, at: now) }
  }

  private func tick() {
    pen.withLock { StandardStreams.say($0.tick(at: now, Self.surface(of: &$0))) }
  }

  func say(_ text: String) {
    pen.withLock {
      StandardStreams.say($0.clear(Self.surface(of: &$0)))
      Messages.say(text)
    }
  }

  private func end() { pen.withLock { StandardStreams.say($0.end(Self.surface(of: &$0))) } }

  /// Progress does not draw over lines that a shell wrote below it.
  private static func surface(of pen: inout ProgressPen) -> ProgressPen.Size? {
    if Terminal.hasContinued() { pen.forgetBlock() }
    return Terminal.drawable
  }
}

extension ProgressPen.Surface {
  static var standardError: Self? {
    Self(environment: ProcessInfo.processInfo.environment, isTerminal: Terminal.isStandardError)
  }

  /// Nil for files and pipes that a program may read, unless `CI` says that they are a log. A
  /// terminal that cannot move its cursor back (`TERM` is `dumb` or empty) is a log too.
  init?(environment: [String: String], isTerminal: Bool) {
    if isTerminal {
      self = ["", "dumb"].contains(environment["TERM"] ?? "") ? .log : .terminal
    } else {
      let ci = environment["CI"] ?? ""
      guard !["", "0", "false"].contains(ci.lowercased()) else { return nil }
      self = .log
    }
  }
}
