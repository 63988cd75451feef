/// All events in one window of a cell: the file that `--record` writes. Version 1: members may be
/// added, but are never renamed or removed.
///
/// Times are whole nanoseconds from the window's opening.
package struct RecordedTimeline: Codable, Sendable, Equatable {
  package static let schema = "topobench-events/1"

  package var schema = RecordedTimeline.schema
  package var cell: Cell
  /// From 1.
  package var `repeat`: Int
  package var repeats: Int
  /// Whether this repeat gives the cell's `main_blocked_ms`.
  package var isMedian: Bool
  package var length: Int64
  package var executing: Int64
  package var waiting: Int64
  package var pageSize: Int
  /// The names of slices and waits, indexed by code.
  package var tags: [Tag]
  package var causes: [String]
  /// Labels of the private queues, indexed by number.
  package var queues: [String]
  package var tapes: [Tape]

  enum CodingKeys: String, CodingKey {
    case schema, cell, `repeat`, repeats, tags, causes, queues, tapes
    case isMedian = "is_median"
    case length = "length_ns"
    case executing = "main_executing_ns"
    case waiting = "main_waiting_ns"
    case pageSize = "page_size"
  }

  package init(
    cell: Cell, `repeat`: Int, repeats: Int, isMedian: Bool, length: Int64, executing: Int64,
    waiting: Int64, pageSize: Int, tags: [Tag], causes: [String], queues: [String], tapes: [Tape]
  ) {
    self.cell = cell
    self.repeat = `repeat`
    self.repeats = repeats
    self.isMedian = isMedian
    self.length = length
    self.executing = executing
    self.waiting = waiting
    self.pageSize = pageSize
    self.tags = tags
    self.causes = causes
    self.queues = queues
    self.tapes = tapes
  }

  package var dropped: Int { tapes.reduce(0) { $0 + $1.dropped } }
}

extension RecordedTimeline {
  package struct Cell: Codable, Sendable, Equatable {
    package var runID: String
    package var order: Int
    package var scenario: String
    package var parameters: String
    package var topology: String
    package var store: String
    package var trial: Int
    package var label: String

    enum CodingKeys: String, CodingKey {
      case order, scenario, parameters, topology, store, trial, label
      case runID = "run_id"
    }

    package init(_ result: CellResult) {
      runID = result.runID
      order = result.order
      scenario = result.scenario
      parameters = result.parameters
      topology = result.topology
      store = result.store
      trial = result.trial
      label = result.label
    }
  }

  package struct Tag: Codable, Sendable, Equatable {
    package var name: String
    /// Whether it counts towards `main_blocked_ms`.
    package var isDatabase: Bool

    enum CodingKeys: String, CodingKey {
      case name
      case isDatabase = "database"
    }

    package init(name: String, isDatabase: Bool) {
      self.name = name
      self.isDatabase = isDatabase
    }
  }
}
