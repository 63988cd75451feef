extension RecordedTimeline {
  package struct Tape: Sendable, Equatable {
    package enum Role: String, Codable, Sendable {
      case main
      case thread
      /// The length of main's queue, or of a private queue.
      case mainDepth = "main-depth"
      case depth
      case changes
    }

    package var role: Role
    package var queue: Int?
    /// Events that did not fit, all later than the recorded ones.
    package var dropped: Int
    package var events: [Event]

    package init(role: Role, queue: Int?, dropped: Int, events: [Event]) {
      self.role = role
      self.queue = queue
      self.dropped = dropped
      self.events = events
    }
  }

  package struct Event: Sendable, Equatable {
    package var time: Int64
    package var mark: Mark
    package var code: Int
    package var subject: Int
    /// From 1. 0 for none, -1 if unknown.
    package var change: Int
    package var value: Int

    package init(
      _ mark: Mark, at time: Int64, code: Int = 0, subject: Int = 0, change: Int = 0,
      value: Int = 0
    ) {
      self.mark = mark
      self.time = time
      self.code = code
      self.subject = subject
      self.change = change
      self.value = value
    }
  }

  /// The raw values are those in the file.
  package enum Mark: Int, Sendable, CaseIterable {
    /// Spans are nested. `end` closes the innermost one.
    case slice, wait, hold, frame, write, read, checkpoint, apply, end
    case listChanged, arrived, committed, depth, carries

    package var isSpan: Bool { rawValue < Mark.end.rawValue }
  }
}

extension RecordedTimeline.Tape: Codable {
  enum CodingKeys: String, CodingKey {
    case role, queue, dropped, events
  }

  /// Six numbers an event: nanoseconds since the last one, mark, code, subject, change, value.
  private static let width = 6

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(role, forKey: .role)
    try container.encodeIfPresent(queue, forKey: .queue)
    try container.encode(dropped, forKey: .dropped)
    var numbers: [Int] = []
    numbers.reserveCapacity(events.count * Self.width)
    var last: Int64 = 0
    for event in events {
      numbers += [
        Int(event.time - last), event.mark.rawValue, event.code, event.subject, event.change,
        event.value,
      ]
      last = event.time
    }
    try container.encode(numbers, forKey: .events)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    role = try container.decode(Role.self, forKey: .role)
    queue = try container.decodeIfPresent(Int.self, forKey: .queue)
    dropped = try container.decode(Int.self, forKey: .dropped)
    let numbers = try container.decode([Int].self, forKey: .events)
    func broken(_ what: String, _ key: CodingKeys = .events) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: what)
    }
    guard (0...Self.mostDropped).contains(dropped) else {
      throw broken("\(dropped) is no count of events", .dropped)
    }
    guard numbers.count.isMultiple(of: Self.width) else {
      throw broken("\(numbers.count) numbers are no whole events of \(Self.width)")
    }
    events = []
    events.reserveCapacity(numbers.count / Self.width)
    var time = 0
    for start in stride(from: 0, to: numbers.count, by: Self.width) {
      let event = numbers[start..<(start + Self.width)]
      guard event.allSatisfy({ $0.magnitude <= UInt(Self.longest) }), numbers[start] >= 0,
        time <= Self.longest, let mark = RecordedTimeline.Mark(rawValue: numbers[start + 1])
      else { throw broken("event \(start / Self.width + 1) has no such time or mark") }
      time += numbers[start]
      events.append(
        RecordedTimeline.Event(
          mark, at: Int64(time), code: numbers[start + 2], subject: numbers[start + 3],
          change: numbers[start + 4], value: numbers[start + 5]))
    }
  }

  /// Thirteen days, in nanoseconds. Arithmetic with larger times could overflow.
  private static let longest = 1 << 50

  /// More than any window records. Sums over tapes cannot overflow.
  private static let mostDropped = 1 << 40
}
