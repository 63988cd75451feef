import DataModel

extension ScenarioField {
  /// Every field, in the order in which files and the documentation have them.
  package static let all: [ScenarioField] =
    identity + data + generated + work + storage + screen + user + measurement

  private static let identity = [
    ScenarioField(
      "name", .text, role: .identity,
      "What the scenario is called; the file's name without `.yaml`."),
    ScenarioField("asks", .text, role: .identity, "One sentence: the question it puts."),
  ]

  private static let data = [
    ScenarioField("entity.name", .text, "What one row is called."),
    ScenarioField(
      "entity.key", .text,
      "The attribute by which rows are known: `int64` or `string`, not optional."),
    ScenarioField(
      "entity.attributes", .attributes,
      "One per column: `int64`, `double`, `bool`, `string`, `date` or `data`; with `?` it may be null."
    ),
    ScenarioField(
      "entity.references", .names, default: .list([]),
      "Its to-one relationships that are columns too: each holds the business key of a row, or nothing."
    ),
    ScenarioField(
      "others", .others, default: .mapping([]),
      "The other entities that have rows; their attributes are those of `model`."),
    ScenarioField(
      "model", .model, default: .mapping([]),
      "The store's other entities, and what is to be known of the rows' own beside its columns."),
    ScenarioField(
      "data.before", .path, unless: "generate.rows", role: .identity,
      "The rows the store holds when the window opens (CSV)."),
    ScenarioField(
      "data.after", .path, unless: "generate.rows", role: .identity,
      "The rows it must hold in the end (CSV)."),
    ScenarioField(
      "data.rows", .integer(1...10_000_000, orWord: "all"), default: .text("all"), unit: "keys",
      "How many keys of the two files together take part, from the smallest on; `all`, or a size for a smoke run."
    ),
  ]

  private static let generated = [
    ScenarioField(
      "generate.rows", .integer(0...10_000_000, orWord: "none"), default: .text("none"),
      unit: "rows",
      "Rows that the store holds when the window opens, made from a seed; in the place of data files."
    ),
    drawn("generate.inserts", "New rows, made likewise."),
    drawn("generate.updates", "How many of the rows change, in one attribute each."),
    drawn("generate.deletes", "How many of the others are deleted."),
    ScenarioField(
      "generate.percent", .number(0.01...100), default: .integer(100), unit: "%",
      "How much of all these numbers, those of `others` too; rounded up."),
    ScenarioField(
      "generate.story", .choice(Story.allNames), default: .text("rows"),
      "`rows`: each attribute drawn by itself; `hospital`: patients, with whom and what they need; every third that is no longer reported stays."
    ),
    ScenarioField(
      "generate.seed", .integer(0...1_000_000_000), default: .integer(1),
      "What rows and changes are made from; `--seed` decides their order alone."),
  ]

  private static func drawn(_ path: String, _ meaning: String) -> ScenarioField {
    ScenarioField(path, .integer(0...10_000_000), default: .integer(0), unit: "rows", meaning)
  }

  private static let work = [
    ScenarioField(
      "changes.stream", .choice(ChangeStream.allNames), default: .text("incremental"),
      "`incremental`: only what differs, shuffled by the seed; `replace`: delete every row, then insert every row; `arrivals`: rows come whole, to be found and updated, or inserted."
    ),
    ScenarioField(
      "changes.per_save", .integer(1...10_000_000, orWord: "all"), default: .integer(500),
      unit: "changes",
      "The size of a batch, saved at once. Deletes and inserts of `replace` share no batch."),
    ScenarioField(
      "changes.burst", .integer(1...10_000_000, orWord: "all"), default: .text("all"),
      unit: "saves", "How many saves follow each other at once; `all`: none waits."),
    ScenarioField(
      "changes.burst_every_ms", .number(0...600_000), default: .integer(0), unit: "ms",
      "Bursts begin on main, at this interval from the window's opening; one whose time has passed begins at once."
    ),
    ScenarioField(
      "changes.references", .choice(ReferenceOrder.allNames), default: .text("with-rows"),
      "`with-rows`: relationships are set with the row that holds them; `afterwards`: by updates of their own, when all rows are there."
    ),
    ScenarioField(
      "changes.format", .choice(ArrivalFormat.allNames), default: .text("rows"),
      "How `arrivals` come: as `rows`; or as `json`: every row of the list, a record with its related rows nested in it, decoded by the worker."
    ),
    ScenarioField(
      "changes.delete_where", .text, default: .text("none"),
      "`none`: what is no longer there is deleted by its key; else a predicate: the rows of the list that match it in the end are."
    ),
    ScenarioField(
      "changes.second_worker", .integer(0...10_000_000), default: .integer(0), unit: "rows",
      "Rows that a second worker changes at the same time, saved by `changes.per_save` too; which rows and what of them, say `user.edited_rows` and `user.edited`, in the user's place. 0: there is one worker."
    ),
    ScenarioField(
      "worker.find", .choice(Lookup.allCases.map(\.rawValue)), default: .text("per-batch"),
      "How a worker finds the objects to change: a fetch for each, one `IN` fetch for a batch, or, of `arrivals`, not at all: a uniqueness constraint over the key finds them."
    ),
  ]

  private static let storage = [
    ScenarioField(
      "storage", .choice(StorageKind.allNames), default: .text("local"),
      "`local`: this machine's disk; `phone`: a disk whose syncs and writes take as long as a phone's flash."
    )
  ]

  private static let screen = [
    ScenarioField(
      "main.realised", .choice(Realisation.allNames), default: .text("visible"),
      "Which objects the main context holds with their values when the window opens."),
    ScenarioField(
      "main.realised_percent", .number(0...100), default: .integer(0), unit: "%",
      "How much of the list main has read besides, evenly spread over it."),
    ScenarioField(
      "list.sort", .order, default: .list([]),
      "The list's order, `-` for descending; the key is added, so that no two rows are equal."),
    ScenarioField(
      "list.visible_rows", .integer(0...10_000), default: .integer(12), unit: "rows",
      "How many rows the screen shows."),
    ScenarioField(
      "list.scroll_rows_per_s", .number(0...100_000), default: .integer(0), unit: "rows/s",
      "How fast the list scrolls; 0 stands still."),
    ScenarioField(
      "list.frame_rate_hz", .number(1...1000), default: .integer(60), unit: "Hz",
      "The grid on which frames are due."),
    cost("drawing.delta_us", "each insert, delete, move or update that the list is told of"),
    cost("drawing.cell_us", "each cell that is laid out"),
    cost("drawing.reload_us", "each reload of the whole list"),
    cost("drawing.frame_us", "each frame"),
    cost("drawing.snapshot_item_us", "each row of the list in a snapshot, one after each change,"),
  ]

  private static func cost(_ path: String, _ what: String) -> ScenarioField {
    ScenarioField(
      path, .number(0...1_000_000), default: .integer(0), unit: "µs",
      "What \(what) costs on the main queue.")
  }

  private static let user = [
    ScenarioField(
      "user.fetches_per_s", .number(0...10_000), default: .integer(0), unit: "1/s",
      "Fetches of one row by its key that the user causes on main meanwhile."),
    ScenarioField(
      "user.edits_per_s", .number(0...10_000), default: .integer(0), unit: "1/s",
      "Edits that the user makes and saves on main meanwhile; 0 with `replace`."),
    ScenarioField(
      "user.edited_rows", .choice(EditedRows.allNames), default: .text("untouched"),
      "Which rows edits meet: those the worker leaves alone, or (`updated`) those it updates too, in another attribute; then both contexts merge by property, and both changes stand whoever saves first."
    ),
    ScenarioField(
      "user.edited", .attribute, default: .text("auto"),
      "The attribute that edits change; `auto` is the last one that neither is the key nor decides the list's order."
    ),
  ]

  private static let measurement = [
    ScenarioField(
      "horizon_ms", .number(1...3_600_000), default: .integer(1000), unit: "ms",
      "The span, from the window's opening, over which rates and tap percentiles are taken."),
    ScenarioField(
      "repeat_for_ms", .number(0...600_000), default: .integer(1000), unit: "ms",
      "Windows are repeated, on fresh copies of the store, until they add up to this; there is at least one."
    ),
    ScenarioField(
      "trials", .integer(1...1000, orWord: "auto"), default: .text("auto"), role: .sampling,
      unit: "processes", "Processes per topology and store mode; `auto`: enough for a verdict."),
    ScenarioField(
      "sweep", .choice(Sweep.allNames), default: .text("every"), role: .identity,
      "How lists of values in several fields go together: `every` combination; `one-at-a-time`: each field's in turn, the others at their first."
    ),
    ScenarioField(
      "smoke", .settings, default: .mapping([]), role: .identity,
      "What `--smoke` sets over the other fields: a size for tests that still does every kind of work."
    ),
  ]
}
