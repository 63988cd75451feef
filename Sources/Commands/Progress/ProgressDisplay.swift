import Foundation
import Harness
import Judging
import Measurement
import Queues
import Reports
import Topologies

/// Shows a run's progress on standard error, from the process that starts the cells.
final class ProgressDisplay: CellObserver {
  // Written while the lock is held, as an exception: two drawings must not mix.
  private let pen: Lock<ProgressPen>
  private let start = SystemClock().now()
  private let processor = Lock(ProcessorWatch())

  /// - Parameter length: how long the run goes on, where that and not the number of cells ends it.
  private init(on surface: ProgressPen.Surface, length: Duration?) {
    let progress = RunProgress(topologies: KnownTopologies.all.map(\.name), length: length)
    pen = Lock(ProgressPen(progress, on: surface, style: .standardError))
  }

  /// Shows the progress of what `body` runs, if it is wanted and there is a place for it, and
  /// leaves the terminal as it was.
  ///
  /// - Parameter isWanted: false for `--quiet` and `--no-progress`.
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
}

// MARK: - What happens

extension ProgressDisplay {
  func planned(_ cells: [CellKey], finished: [CellResult]) {
    pen.withLock { $0.progress.plan(cells, finished: finished) }
  }

  func began(_ cell: CellKey) {
    let now = now
    pen.withLock { pen in
      pen.progress.begin(cell, at: now)
      guard pen.isDue(at: now) else { return }
      pen.progress.processor = processor.withLock { $0.look() }
      Self.write(pen.write(at: now, Self.surface(of: &pen)))
    }
  }

  func ended(_ cell: CellKey, as result: CellResult) {
    // Drawn when the next one begins, a moment later: then it shows that one, too.
    let now = now
    pen.withLock { $0.progress.end(cell, as: result, at: now) }
  }

  private func tick() {
    pen.withLock { Self.write($0.tick(at: now, Self.surface(of: &$0))) }
  }

  /// Says something above the progress, which is drawn again when it has something new.
  func say(_ text: String) {
    pen.withLock {
      Self.write($0.clear(Self.surface(of: &$0)))
      Messages.say(text)
    }
  }

  private func end() {
    pen.withLock { Self.write($0.end(Self.surface(of: &$0))) }
  }

  /// Where to draw now; what a shell has written below meanwhile is not drawn over.
  private static func surface(of pen: inout ProgressPen) -> ProgressPen.Size? {
    if Terminal.hasContinued() { pen.forgetBlock() }
    return Terminal.drawable
  }

  private static func write(_ text: String) {
    guard !text.isEmpty else { return }
    FileHandle.standardError.write(Data(text.utf8))
  }
}

extension ProgressPen.Surface {
  static var standardError: Self? {
    Self(
      environment: ProcessInfo.processInfo.environment, isTerminal: Terminal.isStandardError)
  }

  /// Nil where progress is out of place: in files and pipes that somebody will read, unless `CI`
  /// says that they are the log of a machine. A terminal that cannot go back (`TERM` is `dumb`, or
  /// says nothing) is a log, too.
  init?(environment: [String: String], isTerminal: Bool) {
    let terminal = environment["TERM"] ?? ""
    if isTerminal {
      self = terminal.isEmpty || terminal == "dumb" ? .log : .terminal
    } else {
      let ci = environment["CI"] ?? ""
      guard !["", "0", "false"].contains(ci.lowercased()) else { return nil }
      self = .log
    }
  }
}
