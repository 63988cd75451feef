import Foundation
import Measurement

extension TraceProcess {
  /// The length of a queue's line over time.
  func depth(of tape: RecordedTimeline.Tape) -> TraceCounter? {
    let name: String
    switch tape.role {
    case .mainDepth: name = "main queue depth"
    case .depth: name = "\(tape.queue.map { lane(of: $0).name } ?? "?") queue depth"
    default: return nil
    }
    let points = tape.events.filter { $0.mark == .depth }.map { ($0.time, "\($0.value)") }
    return points.isEmpty
      ? nil : TraceCounter(name: name, unit: "waiting", points: [(0, "0")] + points)
  }

  /// The WAL after each commit: a header of 32 bytes, and 24 before each page
  /// (https://www.sqlite.org/fileformat.html, 4.1).
  func wal(of tapes: [TapeSpans]) -> TraceCounter? {
    let commits = tapes.flatMap { $0.moments.filter { $0.mark == .committed } }
    guard !commits.isEmpty else { return nil }
    let points = commits.sorted { $0.time < $1.time }.map { commit in
      (commit.time, kibibytes(32 + Double(commit.value) * (Double(timeline.pageSize) + 24)))
    }
    return TraceCounter(name: "WAL size", unit: "KiB", points: points)
  }

  private func kibibytes(_ bytes: Double) -> String {
    "\((bytes / 1024 * 10).rounded() / 10)"
  }
}

extension RecordedTimeline {
  func tag(_ code: Int) -> String { tags.indices.contains(code) ? tags[code].name : "?" }

  func cause(_ code: Int) -> String { causes.indices.contains(code) ? causes[code] : "?" }

  func label(ofQueue number: Int) -> String {
    queues.indices.contains(number) ? queues[number] : "queue \(number)"
  }

  /// The queue whose thread recorded the tape.
  func owner(of tape: Tape) -> String { tape.queue.map(label) ?? "main" }
}
