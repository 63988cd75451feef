import Foundation
import Measurement
import Testing

@Suite("A recorded timeline's file")
struct RecordedTimelineTests {
  private typealias Tape = RecordedTimeline.Tape

  private let tape = Tape(
    role: .thread, queue: 2, dropped: 5,
    events: [
      .init(.hold, at: 10, subject: 2), .init(.carries, at: 10, change: 3),
      .init(.slice, at: 25, code: 4, change: 3, value: 7), .init(.end, at: 1_000_000, change: -1),
    ])

  private func decode(events: String) throws -> Tape {
    try JSONDecoder().decode(
      Tape.self, from: Data("{\"role\":\"main\",\"dropped\":0,\"events\":\(events)}".utf8))
  }

  @Test func `an event is six numbers, with the time since the previous event`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(tape), as: UTF8.self)
    #expect(
      text == """
        {"dropped":5,"events":[10,2,0,2,0,0,0,13,0,0,3,0,15,0,4,0,3,7,999975,8,0,0,-1,0],\
        "queue":2,"role":"thread"}
        """)
    #expect(try JSONDecoder().decode(Tape.self, from: Data(text.utf8)) == tape)
  }

  @Test(
    arguments: [
      "[1,2,3]", "[-1,0,0,0,0,0]", "[0,99,0,0,0,0]", "[0,-1,0,0,0,0]",
      "[0,0,0,0,0,\(Int.max)]", "[\(Int.max),0,0,0,0,0]", "[0,0,0,0,\(Int.min),0]",
    ])
  func `what is no event is refused`(events: String) {
    #expect(throws: DecodingError.self) { try decode(events: events) }
  }

  @Test func `the numbers of marks match the schema`() {
    #expect(
      RecordedTimeline.Mark.allCases.map { "\($0)" } == [
        "slice", "wait", "hold", "frame", "write", "read", "checkpoint", "apply", "end",
        "listChanged", "arrived", "committed", "depth", "carries",
      ])
    #expect(RecordedTimeline.Mark.allCases.filter(\.isSpan).count == 8)
  }
}
