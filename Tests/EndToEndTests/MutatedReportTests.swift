import Foundation
import Judging
import Measurement
import SoakSupport
import Support
import Testing

/// Damages one of two reports that pass. `scripts/soak` sets `TOPOBENCH_MUTATIONS`.
@Suite("Mutated reports", .serialized)
struct MutatedReportTests {
  enum Mutation: CaseIterable {
    case partRemoved, signFlipped, cellChanged, cellRepeated, failedStatus, unknownStatus
    case digest, seed, schema, fingerprint, bytesFlipped

    /// As documented; nil if it depends on the place of the damage.
    func exitStatus(on side: Side) -> Int32? {
      let unreadable: Int32 = side == .candidate ? 1 : 5
      return switch self {
      case .partRemoved: side == .candidate ? 4 : 0
      case .signFlipped, .cellChanged, .unknownStatus, .schema: unreadable
      case .cellRepeated: 0
      case .failedStatus: side == .candidate ? 3 : 0
      case .digest, .seed, .fingerprint: 5
      case .bytesFlipped: nil
      }
    }
  }

  private static let mutations =
    ProcessInfo.processInfo.environment["TOPOBENCH_MUTATIONS"].flatMap { Int($0) } ?? 22

  private let command = CommandRun()

  /// Two scenarios, topologies and store modes, eight trials each.
  private static func report(_ run: String) -> Report {
    var cells: [CellResult] = []
    for scenario in ["5000-cities", "import"] {
      for (topology, store) in [
        ("main-only", "pool"), ("parent-child", "pool"), ("parent-child", "serial"),
      ] {
        for trial in 1...8 {
          var cell = CellResult.sample(run, topology, trial: trial)
          (cell.scenario, cell.store, cell.order) = (scenario, store, cells.count + 1)
          let wobble = 1 + 0.01 * Double((trial * (run == "new" ? 3 : 7)) % 10 - 5) / 5
          cell.metrics[.mainBlocked] = 20 * wobble
          cell.metrics[.rawSQLite] = 12 * wobble
          cell.metrics["main_statements"] = 3644
          cells.append(cell)
        }
      }
    }
    return Report(CellCSV.text(cells))
  }

  @Test func `a damaged report crashes nothing, and passes no gate unseen`() throws {
    let soak = try SoakOptions.ofTests()
    var course = soak.begin("mutated reports", count: Self.mutations)
    try Self.report("old").write("old.csv", to: command)
    try Self.report("new").write("new.csv", to: command)
    try #require(gate("old.csv", "new.csv", format: "table").status == 0)
    var tally: [String: Int] = [:]
    while let seed = course.next() {
      var random = SplitMix64(seed: seed)
      let mutation = Mutation.allCases[Int(seed % UInt64(Mutation.allCases.count))]
      let side: Side = random.nextBool() ? .baseline : .candidate
      var report = Self.report(side == .baseline ? "old" : "new")
      report.mutate(mutation, using: &random)
      try report.write("mutated.csv", to: command)
      let format = ["table", "json", "junit"][random.next(below: 3)]
      let outcome =
        try side == .baseline
        ? gate("mutated.csv", "new.csv", format: format)
        : gate("old.csv", "mutated.csv", format: format)
      let place = "seed \(seed): \(mutation) of the \(side)"
      check(outcome, mutation, side, place)
      if outcome.status == 0 { expectSeen(report, side, place) }
      tally["\(mutation) of the \(side) \(outcome.status)", default: 0] += 1
      course.add(failures: 0)
    }
    try soak.end(course)
    let counts = tally.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    print("mutated reports: " + counts.joined(separator: ", "))
  }

  private func gate(
    _ baseline: String, _ candidate: String, format: String
  ) throws -> CommandRun.Outcome {
    try command.run(
      "gate", "--baseline", baseline, "--candidate", candidate, "--format", format, "--times",
      "gate")
  }

  private func check(
    _ outcome: CommandRun.Outcome, _ mutation: Mutation, _ side: Side, _ place: String
  ) {
    if let expected = mutation.exitStatus(on: side) {
      #expect(outcome.status == expected, "\(place): \(outcome)")
    } else {
      #expect((0...6).contains(outcome.status), "\(place): \(outcome)")
    }
    let unreadable: Int32 = side == .candidate ? 1 : 5
    guard outcome.status == unreadable, outcome.output.isEmpty else { return }
    #expect(
      outcome.errors.contains("\(side.rawValue): mutated.csv: line "), "\(place): \(outcome.errors)"
    )
  }

  /// A passed gate must have compared every part of the baseline.
  private func expectSeen(_ report: Report, _ side: Side, _ place: String) {
    guard let cells = try? CellCSV.decode(report.bytes) else {
      Issue.record("\(place): an unreadable report passed")
      return
    }
    guard side == .candidate else { return }
    let sound = Dictionary(grouping: cells.filter { $0.status == .ok }, by: CellKey.init)
    let parts = Set(((try? command.cells("old.csv")) ?? []).map(CellKey.init))
    #expect(parts.allSatisfy { sound[$0, default: []].count >= 6 }, "\(place)")
    let bad = cells.filter { ![.ok, .suspect].contains($0.status) }
    #expect(bad.isEmpty && Set(cells.map(\.seed)) == [1], "\(place)")
  }
}

/// Rows and fields; none is quoted.
private struct Report {
  private var rows: [[String]]
  private var damaged: [UInt8]?

  init(_ text: String) {
    rows = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  var bytes: [UInt8] {
    damaged ?? Array(rows.map { $0.joined(separator: ",") + "\n" }.joined().utf8)
  }

  func write(_ name: String, to command: CommandRun) throws {
    try Data(bytes).write(to: command.folder.appendingPathComponent(name))
  }

  private func column(_ name: String) -> Int { rows[0].firstIndex(of: name) ?? 0 }

  mutating func mutate(_ mutation: MutatedReportTests.Mutation, using random: inout SplitMix64) {
    let row = 1 + random.next(below: rows.count - 1)
    switch mutation {
    case .partRemoved: removePart(of: row, using: &random)
    case .signFlipped:
      let metric = figure(using: &random)
      rows[row][metric] = "-" + rows[row][metric]
    case .cellChanged, .cellRepeated:
      var copy = rows[row]
      if mutation == .cellChanged { copy[figure(using: &random)] = "41.5" }
      rows.insert(copy, at: 1 + random.next(below: rows.count))
    case .failedStatus:
      set("status", to: ["wrong", "crashed", "timeout"][random.next(below: 3)], in: row)
    case .unknownStatus: set("status", to: "okay", in: row)
    case .digest: set("scenario_digest", to: "d2", in: row)
    case .seed: set("seed", to: "2", in: row)
    case .schema: set("schema", to: "topobench/4", in: row)
    case .fingerprint: set("fingerprint", to: "beef", in: row)
    case .bytesFlipped: flipBytes(using: &random)
    }
  }

  private mutating func set(_ name: String, to value: String, in row: Int) {
    rows[row][column(name)] = value
  }

  /// A column whose figures gate, or accompany them.
  private func figure(using random: inout SplitMix64) -> Int {
    column(["main_blocked_ms", "raw_sqlite_ms", "main_statements"][random.next(below: 3)])
  }

  /// Removes all rows of one scenario, topology or store mode.
  private mutating func removePart(of row: Int, using random: inout SplitMix64) {
    let column = column(["scenario", "topology", "store"][random.next(below: 3)])
    let removed = rows[row][column]
    rows = rows.filter { $0[column] != removed }
  }

  private mutating func flipBytes(using random: inout SplitMix64) {
    var bytes = bytes
    for _ in 0...random.next(below: 3) {
      bytes[random.next(below: bytes.count)] ^= UInt8(1 + random.next(below: 255))
    }
    damaged = bytes
  }
}
