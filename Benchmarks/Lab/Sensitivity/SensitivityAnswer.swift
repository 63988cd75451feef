import Judging
import Measurement
import Reports

enum SensitivityAnswer {
  typealias Format = OutputFormat<JSONFormat>

  static func render(
    _ answer: Sensitivity, as format: Format, style: TextStyle
  ) throws -> String {
    switch format {
    case .document(let format): format.render(document(answer), style)
    case .data(.json): try json(answer)
    }
  }

  static func document(_ answer: Sensitivity) -> Document {
    Document(
      blocks: [
        .table(Table(answer.topologies, topologyColumns(answer))),
        .paragraph(
          "Charged: main's time at these prices, computed. Blocked: main_blocked_ms of one cell."
            + " Other columns: events on main.", .legend),
        .table(Table(answer.turns, turnColumns)),
      ] + sentences(answer).map { .paragraph($0, .answer) } + notes(answer).map { .paragraph($0) })
  }

  private static func topologyColumns(
    _ answer: Sensitivity
  ) -> [ValueColumn<Sensitivity.ChargedTopology>] {
    let events = Set(answer.topologies.flatMap(\.main.keys)).sorted()
    return [
      .leading("topology") { $0.topology },
      ValueColumn("charged", "ms") { Figures.short($0.charged) },
      ValueColumn("blocked", "ms") { $0.blocked.map(Figures.short) ?? Table.missing },
    ]
      + events.map { event in
        ValueColumn(event) { Figures.whole($0.main[event] ?? 0) }
      }
  }

  static let turnColumns: [ValueColumn<Sensitivity.Turn>] = [
    .leading("overtaking") { $0.overtaking },
    ValueColumn("overtaken", "", .words) { $0.overtaken },
    ValueColumn("price", "", .words) { $0.event },
    ValueColumn("above, push-ups") { Figures.short($0.ratio) },
    ValueColumn("here") { Figures.short($0.here) },
    ValueColumn("cells", "", .words) { turn in
      turn.check.map { $0.isConfirmed ? "turned" : "did not turn" } ?? Table.missing
    },
  ]

  static let jsonSchema = "topobench-sensitivity/1"

  static func json(_ answer: Sensitivity) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: sentences(answer).joined(separator: "\n"),
      notes: notes(answer), value: answer
    ).text()
  }
}

// MARK: - Sentences

extension SensitivityAnswer {
  static func sentences(_ answer: Sensitivity) -> [String] {
    let order = answer.topologies.map { "\($0.topology) (\(Figures.milliseconds($0.charged)))" }
    let first =
      "Order by main's charged time in \(answer.scenario) at the prices of \(answer.source):"
      + " \(order.joined(separator: ", "))."
    guard !answer.turns.isEmpty else {
      return [
        first, "No price from 1/100 to 100 times a push-up's, changed alone, turns this order.",
      ]
    }
    return [first] + answer.turns.prefix(Sensitivity.mostChecks).map(sentence)
  }

  private static func sentence(_ turn: Sensitivity.Turn) -> String {
    let checked = turn.check.map { check in
      check.isConfirmed
        ? "; cells on both sides confirm it" : "; cells on both sides do not confirm it"
    }
    return
      "\(turn.overtaking) overtakes \(turn.overtaken) when \(Sentences.priced(turn.event)) costs more than"
      + " \(Figures.short(turn.ratio)) times a push-up (here \(Figures.short(turn.here)))"
      + "\(checked ?? "")."
  }

  static func notes(_ answer: Sensitivity) -> [String] {
    let bad = "\(Figures.counted(answer.badCells, "cell")) did not end ok."
    return [
      """
      Computed: events on main of one cell a topology, times these prices; one price changes at a \
      time, from 1/100 to 100 times a push-up's. Two topologies that differ by less than 5 % at half \
      or twice a ratio do not turn there. Cells at half and twice a ratio compare main_blocked_ms, \
      which also has main's waits for other threads and this machine's own time; they may not turn \
      where those decide.
      """
    ] + (answer.badCells > 0 ? [bad] : [])
  }
}
