import Foundation
import Harness
package import Judging
package import Measurement
import Queues
import Reports

/// Shows a run's progress, in the process that starts the cells.
package final class ProgressDisplay: CellObserver {
  // Written while the lock is held, so that two drawings do not mix.
  private let pen: Lock<ProgressPen>
  private let start = SystemClock().now()

  private init(isWanted: Bool, length: Duration?) {
    let surface = ProgressPen.Surface(
      environment: ProcessInfo.processInfo.environment, isTerminal: Terminal.isStandardError)
    pen = Lock(
      ProgressPen(
        RunProgress(length: length), on: isWanted ? surface : nil, style: .standardError))
  }

  /// Clears the line at the end. A run that is limited by time has a `length`.
  package static func show<Result>(
    if isWanted: Bool, length: Duration? = nil,
    while body: (ProgressDisplay) async throws -> Result
  ) async throws -> Result {
    let display = ProgressDisplay(isWanted: isWanted, length: length)
    let ticking = Task.detached { [weak display] in
      while (try? await Task.sleep(for: ProgressPen.betweenTicks)) != nil {
        display?.write { $0.tick(at: $1, columns: $2) }
      }
    }
    defer {
      ticking.cancel()
      display.write { pen, _, columns in pen.end(columns: columns) }
    }
    return try await body(display)
  }

  package func planned(_ cells: [CellKey], finished: [CellResult]) {
    pen.withLock { $0.progress.plan(cells, finished: finished) }
  }

  package func began(_ cell: CellKey) {
    write { pen, now, columns in
      pen.progress.begin(cell, at: now)
      return pen.write(at: now, columns: columns)
    }
  }

  package func ended(_ cell: CellKey, as result: CellResult) {
    // The end is drawn when the next cell begins, so that one drawing shows both.
    let now = SystemClock().now() - start
    pen.withLock { $0.progress.end(cell, as: result, at: now) }
  }

  /// Prints a message above the line.
  package func say(_ text: String) {
    pen.withLock {
      StandardStreams.say($0.clear(columns: Terminal.drawableColumns))
      Messages.say(text)
    }
  }

  private func write(_ text: (inout ProgressPen, _ now: Duration, _ columns: Int?) -> String) {
    let now = SystemClock().now() - start
    pen.withLock { StandardStreams.say(text(&$0, now, Terminal.drawableColumns)) }
  }
}
