import Measurement

extension RecordedTimeline {
  /// A cell with one change: the worker saves it, main merges and shows it.
  ///
  ///     changes  0├─ apply ──────┤60
  ///     worker     5├─ save ─────┤50
  ///     store        10├─ ●30 ──┤40
  ///     main                        70├─ merge ●80 ┤90  95├frame┤99
  static func sample(
    topology: String = "notification-merge", trial: Int = 1, scenario: String = "5000-cities",
    tapes: [Tape] = sampleTapes
  ) -> RecordedTimeline {
    var result = CellResult(
      runID: "run", startedAt: "", scenario: scenario, topology: topology, store: "pool",
      trial: trial, order: trial, seed: 1, status: .ok)
    result.label = ""
    return RecordedTimeline(
      cell: Cell(result), repeat: 2, repeats: 3, isMedian: true, length: 100_000,
      executing: 18_000, waiting: 2_000, pageSize: 4096,
      tags: [
        Tag(name: "merge", isDatabase: true), Tag(name: "save", isDatabase: true),
        Tag(name: "harness", isDatabase: false),
      ],
      causes: ["coordinator"], queues: ["worker"], tapes: tapes)
  }

  static let sampleTapes: [Tape] = [
    Tape(
      role: .changes, queue: nil, dropped: 0,
      events: [.init(.apply, at: 0, change: 1), .init(.end, at: 60_000, change: 1)]),
    Tape(
      role: .thread, queue: 0, dropped: 0,
      events: [
        .init(.hold, at: 5_000), .init(.carries, at: 5_000, change: 1),
        .init(.slice, at: 5_000, code: 1, change: 1, value: 4),
        .init(.write, at: 10_000, change: 1),
        .init(.committed, at: 30_000, change: 1, value: 2),
        .init(.checkpoint, at: 31_000, change: 1), .init(.end, at: 39_000, change: 1),
        .init(.end, at: 40_000, change: 1), .init(.end, at: 50_000, change: 1, value: 9),
        .init(.end, at: 50_001),
      ]),
    Tape(
      role: .main, queue: nil, dropped: 0,
      events: [
        .init(.slice, at: 65_000, code: 2), .init(.slice, at: 70_000, code: 0, change: 1),
        .init(.wait, at: 72_000, code: 0, change: 1), .init(.end, at: 74_000, change: 1),
        .init(.listChanged, at: 80_000, change: 1), .init(.end, at: 90_000, change: 1),
        .init(.frame, at: 95_000), .init(.end, at: 99_000),
      ]),
    Tape(
      role: .mainDepth, queue: nil, dropped: 0,
      events: [.init(.depth, at: 62_000, value: 1), .init(.depth, at: 65_000, value: 0)]),
  ]
}
