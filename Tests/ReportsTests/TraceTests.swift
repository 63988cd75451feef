import Foundation
import Measurement
import Reports
import Testing

@Suite("A trace's JSON")
struct TraceTests {
  private typealias Tape = RecordedTimeline.Tape

  private struct Document: Decodable {
    struct Event: Decodable {
      struct Arguments: Decodable {
        var name: String?
        var change: Int?
        var statements: Int?
        var cut: Bool?
      }

      let ph: String
      let name: String
      let pid: Int
      let tid: Int
      var ts: Double?
      var dur: Double?
      var cat: String?
      var id: Int?
      var bp: String?
      var args: Arguments?
    }

    let displayTimeUnit: String
    let traceEvents: [Event]

    func tid(_ name: String) -> Int? {
      traceEvents.first { $0.name == "thread_name" && $0.args?.name == name }?.tid
    }

    func slices(on track: String) -> [String] {
      traceEvents.filter { $0.ph == "X" && $0.tid == tid(track) }.map {
        "\($0.ts ?? -1) \($0.name) \($0.dur ?? -1)"
      }
    }

    var tracks: [String] {
      traceEvents.filter { $0.name == "thread_name" }.compactMap(\.args?.name)
    }
  }

  private func trace(_ timelines: RecordedTimeline...) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(Trace.json(timelines).utf8))
  }

  @Test func `the text of a small trace`() {
    let lines = Trace.json([.sample()]).split(separator: "\n").map(String.init)
    #expect(lines[0] == #"{"displayTimeUnit":"ms","#)
    #expect(lines[1] == #""otherData":{"schema":"topobench-trace/1","cells":["#)
    #expect(lines[4] == #""traceEvents":["#)
    #expect(
      lines[5]
        == #"{"ph":"M","name":"process_name","pid":10000,"tid":10000,"args":{"name":"notification-merge · pool · trial 1"}},"#
    )
    let merge =
      #"{"ph":"X","name":"merge","cat":"database","pid":10000,"tid":10000,"#
      + #""ts":70,"dur":20,"args":{"change":1}},"#
    #expect(lines.contains(merge))
    let depth =
      #"{"ph":"C","name":"main queue depth","pid":10000,"tid":10000,"ts":62,"args":{"waiting":1}},"#
    #expect(lines.contains(depth))
    #expect(lines.contains { $0.contains(#""name":"WAL size""#) && $0.contains(#""KiB":8.1"#) })
    #expect(lines.last == "]}")
  }

  @Test func `each track has what belongs to it`() throws {
    let trace = try trace(.sample())
    #expect(
      trace.tracks == ["changes", "main", "main: waits", "queue worker", "store: writes"])
    #expect(
      trace.slices(on: "main")
        == ["65.0 busy 35.0", "70.0 merge 20.0", "80.0 list changed 0.0", "95.0 frame 4.0"])
    #expect(trace.slices(on: "main: waits") == ["72.0 wait for coordinator 2.0"])
    #expect(trace.slices(on: "queue worker") == ["5.0 block 45.001", "5.0 save 45.0"])
    #expect(
      trace.slices(on: "store: writes")
        == ["10.0 transaction 30.0", "30.0 commit 0.0", "31.0 checkpoint 8.0"])
    let save = trace.traceEvents.first { $0.name == "save" }
    #expect(save?.args?.statements == 5)
    #expect(save?.args?.change == 1)
    #expect(trace.traceEvents.first { $0.name == "busy" }?.args?.cut == true)
  }

  @Test func `arrows lead from the change by the worker and the commit to list and frame`() throws {
    let trace = try trace(.sample())
    let points = trace.traceEvents.filter { ["s", "t", "f"].contains($0.ph) }
    #expect(
      points.map { "\($0.ph) \($0.ts ?? -1)" } == ["s 0.0", "t 5.0", "t 30.0", "t 80.0", "f 95.0"])
    #expect(
      points.map(\.tid)
        == ["changes", "queue worker", "store: writes", "main", "main"].map { trace.tid($0) })
    #expect(Set(points.map(\.id)).count == 1)
    #expect(points.last?.bp == "e")
  }

  @Test func `cells are processes, and no two share a number of a thread or an arrow`() throws {
    let trace = try trace(.sample(), .sample(topology: "main-only", scenario: "other"))
    let names = trace.traceEvents.filter { $0.name == "process_name" }.compactMap(\.args?.name)
    #expect(
      names == [
        "notification-merge · pool · trial 1 · 5000-cities", "main-only · pool · trial 1 · other",
      ])
    let threads = trace.traceEvents.filter { $0.name == "thread_name" }
    #expect(Set(threads.map(\.tid)).count == threads.count)
    #expect(Set(trace.traceEvents.filter { $0.ph == "s" }.map(\.id)).count == 2)
  }

  @Test(arguments: ["</script>\"\\", "a\u{202E}b", "line\nbreak\t\u{0}", "𝒳\u{E0001}", ""])
  func `names in a trace are escaped`(name: String) throws {
    let text = Trace.json([.sample(topology: name)])
    let trace = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    let told = trace.traceEvents.first { $0.name == "process_name" }?.args?.name
    #expect(told == (name.isEmpty ? "pool · trial 1" : "\(name) · pool · trial 1"))
    for hostile in ["</", "\u{202E}", "\u{0}", "\t", "\u{E0001}"] {
      #expect(!text.unicodeScalars.contains(hostile.unicodeScalars))
    }
  }
}

// MARK: - What is not as it should be

extension TraceTests {
  @Test func `transactions that overlap lie in two lanes`() throws {
    let thread = { (queue: Int, start: Int64) in
      Tape(
        role: .thread, queue: queue, dropped: 0,
        events: [
          .init(.hold, at: start, subject: queue), .init(.write, at: start),
          .init(.end, at: start + 1000), .init(.end, at: start + 1000),
        ])
    }
    let trace = try trace(.sample(tapes: [thread(0, 0), thread(1, 999), thread(2, 1000)]))
    #expect(trace.slices(on: "store: writes") == ["0.0 transaction 1.0", "1.0 transaction 1.0"])
    #expect(trace.slices(on: "store: writes (2)") == ["0.999 transaction 1.0"])
  }

  @Test func `queues of one name that existed one after the other share a track`() throws {
    var timeline = RecordedTimeline.sample(
      tapes: [(0, 0), (1, 2000), (2, 500)].map { queue, start in
        Tape(
          role: .thread, queue: queue, dropped: 0,
          events: [.init(.hold, at: start, subject: queue), .init(.end, at: start + 1000)])
      })
    timeline.queues = ["import", "import", "import"]
    let trace = try trace(timeline)
    #expect(trace.tracks == ["queue import", "queue import (2)"])
    #expect(trace.slices(on: "queue import") == ["0.0 block 1.0", "2.0 block 1.0"])
  }

  @Test func `a full recording says so, and cuts unfinished spans`() throws {
    let trace = try trace(
      .sample(tapes: [
        Tape(
          role: .main, queue: nil, dropped: 12,
          events: [.init(.slice, at: 1000, code: 0), .init(.slice, at: 3000, code: 1)])
      ]))
    #expect(trace.slices(on: "main") == ["1.0 merge 2.0", "3.0 save 0.0"])
    let told = trace.traceEvents.first { $0.ph == "i" }
    #expect(told?.name == "the recording was full: 12 events of main are missing from here on")
    #expect(told?.ts == 3)
  }

  @Test func `a borrowed queue's track says by whom, and waits outside the database are marked`()
    throws
  {
    let trace = try trace(
      .sample(tapes: [
        Tape(
          role: .main, queue: nil, dropped: 0,
          events: [
            .init(.slice, at: 0, code: 2), .init(.wait, at: 0, code: 0), .init(.end, at: 10),
            .init(.hold, at: 10, subject: 0), .init(.slice, at: 11, code: 1),
            .init(.end, at: 12), .init(.end, at: 20), .init(.end, at: 30), .init(.end, at: 31),
          ])
      ]))
    #expect(trace.slices(on: "queue worker") == ["0.01 lent to main 0.01"])
    #expect(trace.slices(on: "main") == ["0.0 busy 0.03", "0.011 save 0.001"])
    #expect(trace.traceEvents.first { $0.name == "wait for coordinator" }?.cat == "uncharged wait")
  }
}
