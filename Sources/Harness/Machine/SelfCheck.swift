import Foundation
import Measurement
import Queues
import Repeats

package enum SelfCheck {
  private static let mostRetries = 2

  /// Takes about three seconds.
  package static func measure() async throws -> SelfCheckReport {
    var lines: [SelfCheckReport.Line] = []
    for work in SelfCheckCase.all { lines.append(try await measure(work)) }
    return SelfCheckReport(lines: lines)
  }

  private static func measure(_ work: SelfCheckCase) async throws -> SelfCheckReport.Line {
    var line = try await attempt(work)
    while !line.holds && line.retries < mostRetries {
      let retries = line.retries + 1
      line = try await attempt(work)
      line.retries = retries
    }
    return line
  }

  private static func attempt(_ work: SelfCheckCase) async throws -> SelfCheckReport.Line {
    let main = SimulatedMainQueue(frameRate: 60)
    let clock = main.clock
    main.start()
    defer { main.stop() }
    let screen = SelfCheckScreen()
    let blocks = SelfCheckBlocks(work, on: main) { length in
      let end = clock.now() + length
      while clock.now() < end {}
    }
    try await main.run { main.show(screen) }
    // In its own turn, so that opening the window is not part of the case.
    try await main.run { main.openWindow() }
    await withCheckedContinuation { continuation in
      main.async {
        screen.invalidate(at: clock.now())
        blocks.submit { continuation.resume() }
      }
    }
    // By then the frame is presented, even if the block ended before the frame's tick.
    let settled = main.frames.next(after: clock.now()) + .milliseconds(2)
    let recording = try await main.run(at: settled) { main.closeWindow() }
    return SelfCheckReport.Line(
      work: work,
      checks: SelfCheckJudge(work: work, spans: blocks.spans, recording: recording).checks,
      disagreements: recording.disagreements)
  }
}

package struct SelfCheckReport: Sendable {
  struct Line: Sendable {
    let work: SelfCheckCase
    let checks: [SelfCheckResult]
    let disagreements: Int
    var retries = 0

    var holds: Bool { disagreements == 0 && checks.allSatisfy(\.holds) }
  }

  let lines: [Line]

  package var isRight: Bool { lines.allSatisfy(\.holds) }

  package var text: String {
    let heading = Self.row(["blocks", "figure", "true ms", "found ms", "queued ms", ""])
    let rows = lines.flatMap { line in
      line.checks.enumerated().map { number, check in
        Self.row([
          number == 0 ? line.work.name : "", check.what, Self.figure(check.expected),
          Self.figure(check.measured), Self.figure(check.runqueue), check.holds ? "ok" : "OFF",
        ])
      } + Self.notes(line)
    }
    return ([heading] + rows + [conclusion]).joined(separator: "\n") + "\n"
  }

  private var conclusion: String {
    let tolerance = "within 0.2 ms or 2 %, without run-queue delay"
    let wrong = lines.filter { !$0.holds }.map(\.work.name)
    return wrong.isEmpty
      ? "\nThe self-check holds: every figure is \(tolerance)."
      : "\nThe self-check fails for: \(wrong.joined(separator: "; ")). Every figure should be"
        + " \(tolerance); let nothing else run, and try again."
  }

  private static func notes(_ line: Line) -> [String] {
    var notes: [String] = []
    if line.retries > 0 { notes.append("    measured \(line.retries + 1) times") }
    if line.disagreements > 0 { notes.append("    \(line.disagreements) beats were late") }
    return notes
  }

  private static func figure(_ value: Double) -> String {
    value.isFinite
      ? value.formatted(.number.precision(.fractionLength(3)).grouping(.never)) : "none"
  }

  private static func row(_ cells: [String]) -> String {
    let widths = [22, 28, 10, 10, 10, 4]
    return zip(cells, widths).enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column < 2 || column == 5 ? cell.0 + padding : padding + cell.0
    }
    .joined(separator: " ").replacing(/\ +$/, with: "")
  }
}
