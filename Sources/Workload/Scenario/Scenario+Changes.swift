import DataModel
import Support

package enum StreamKind: String, CaseIterable, Sendable {
  case incremental, replace, arrivals
}

enum ArrivalFormat: String, CaseIterable {
  case rows, json
}

package enum ReferenceOrder: String, CaseIterable, Sendable {
  /// References are set with their row, unless the destination comes later.
  case withRows = "with-rows"
  /// References are set after all rows exist.
  case afterwards
}

extension Scenario {
  package struct Changes: Sendable, Equatable {
    package var stream: StreamKind
    /// Nil for a single batch of all changes.
    package var perSave: Int?
    package var pace = SavePace()
    /// The saves of an app's recording; nil if the rows decide the changes.
    package var saves: String?
    /// Between saves of a replay; nil to keep the recording's times.
    package var longestPause: Duration?
    /// Rows that a second worker changes at the same time.
    package var bySecondWorker = 0
    package var references = ReferenceOrder.withRows
    package var arriveAsJSON = false
    /// The percentage of unchanged rows that arrives too.
    package var unchangedPercent = 0.0
    package var comparesBeforeSetting = true
    /// A predicate that selects the list's rows to delete; nil to delete by key.
    package var deleteWhere: String?
    package var deletions = DeletionKind.explicit

    static let fields = [
      ScenarioField(
        "changes.stream", .choice(of: StreamKind.self), default: .text("incremental"),
        "`incremental`: only rows that differ change, in an order shuffled by the seed. `replace`: every row is deleted, then every row is inserted. `arrivals`: whole rows come, to be found and updated, or inserted."
      ),
      ScenarioField(
        "changes.per_save", .integer(1...10_000_000, orWord: "all"), default: .integer(500),
        unit: "changes",
        "The size of a batch, saved at once. Deletes and inserts of `replace` share no batch."),
      ScenarioField(
        "changes.rate_per_s", .number(0...1000), default: .integer(0), unit: "saves/s",
        "Saves are due on this fixed grid from the window's opening; `save_late_max_ms` says how late they began. 0: each follows the last at once."
      ),
      ScenarioField(
        "changes.coalesce_ms", .number(0...600_000), default: .integer(0), unit: "ms",
        "Joins the saves of each such span into one, due at its end. With `changes.rate_per_s` only."
      ),
      ScenarioField(
        "changes.saves", .path, default: .text("none"), role: .identity,
        "The recorded saves of an app (CSV), in the place of `generate.inserts`, `updates` and `deletes`: each is due at its time, and changes random rows."
      ),
      ScenarioField(
        "changes.longest_pause_ms", .integer(0...3_600_000, orWord: "none"),
        default: .text("none"), unit: "ms",
        "Shortens each longer time between two recorded saves to this."),
      ScenarioField(
        "changes.unrelated", .choice(["true", "false"]), default: .text("false"),
        "`true`: no list shows what is saved; all show the first entity of `others`, whose rows must not change."
      ),
      ScenarioField(
        "changes.references", .choice(of: ReferenceOrder.self), default: .text("with-rows"),
        "`with-rows`: relationships are set with the row that holds them; `afterwards`: by updates of their own, when all rows are there."
      ),
      ScenarioField(
        "changes.format", .choice(of: ArrivalFormat.self), default: .text("rows"),
        "The form of `arrivals`. `rows`: rows of one table. `json`: records with their related rows nested in them, one for each row of the list; the worker decodes them."
      ),
      ScenarioField(
        "changes.unchanged_percent", .number(0...100), default: .integer(0), unit: "%",
        "The share of unchanged rows that `arrivals` bring too, rounded up, like a feed that is sent again. Must be 0 with `changes.format` `json`, whose records always bring every row."
      ),
      ScenarioField(
        "changes.compare_before_setting", .choice(["true", "false"]), default: .text("true"),
        "Whether contexts set only the attributes that differ when a row arrives again. `false`: they set every attribute. Stacks without objects always compare."
      ),
      ScenarioField(
        "changes.delete_where", .predicate, default: .text("none"),
        "`none`: rows that no longer arrive are deleted by their keys. A predicate deletes after all arrivals, and must match exactly those of the list."
      ),
      ScenarioField(
        "changes.deletions", .choice(of: DeletionKind.self), default: .text("explicit"),
        "Who deletes the rows that belong to a deleted row. `explicit`: the stream deletes each row. `by-rule`: it deletes owners; the model's delete rules do the rest. `without-rules`: batch requests delete owners and run no rule. The last two need a rule that reaches other rows."
      ),
      ScenarioField(
        "changes.second_worker", .integer(0...10_000_000), default: .integer(0), unit: "rows",
        "Rows that a second worker changes at the same time, in saves of `changes.per_save`. `user.edited_rows` and `user.edited` then choose this worker's rows and attribute. 0: there is one worker."
      ),
      ScenarioField(
        "worker.find", .choice(of: Lookup.self), default: .text("per-batch"),
        "How a worker finds the objects to change. `per-object`: a fetch for each. `per-batch`: one `IN` fetch for a batch. `constraint`: a uniqueness constraint over the key finds the rows of `arrivals`."
      ),
    ]
  }
}

extension Scenario.Changes {
  init(_ values: FieldValues) throws(InputError) {
    stream = values.choice("changes.stream")
    perSave = values.integer("changes.per_save")
    pace = SavePace(
      perSecond: values.number("changes.rate_per_s"),
      span: .milliseconds(values.number("changes.coalesce_ms")))
    saves = try Self.saves(values)
    longestPause = values.integer("changes.longest_pause_ms").map { .milliseconds($0) }
    bySecondWorker = values.integer("changes.second_worker") ?? 0
    references = values.choice("changes.references")
    arriveAsJSON = values.text("changes.format") == ArrivalFormat.json.rawValue
    unchangedPercent = values.number("changes.unchanged_percent")
    comparesBeforeSetting = values.text("changes.compare_before_setting") == "true"
    let predicate = values.text("changes.delete_where")
    deleteWhere = predicate == "none" ? nil : predicate
    deletions = values.choice("changes.deletions")
    try checkDeletions(values)
    try checkArrivals(values)
    try checkPace(values)
  }

  private func checkArrivals(_ values: FieldValues) throws(InputError) {
    for (path, isAsked) in [
      ("worker.find", values.text("worker.find") == Lookup.constraint.rawValue),
      ("changes.format", arriveAsJSON),
      ("changes.unchanged_percent", unchangedPercent > 0),
      ("changes.compare_before_setting", !comparesBeforeSetting),
      ("changes.delete_where", deleteWhere != nil),
    ] where isAsked && stream != .arrivals {
      throw values.error(path, "\(values[path].asOverride.quoted) is for changes.stream arrivals")
    }
    guard unchangedPercent == 0 || !arriveAsJSON else {
      throw values.error(
        "changes.unchanged_percent", "must be 0 with changes.format json, which sends every row")
    }
  }

  private func checkDeletions(_ values: FieldValues) throws(InputError) {
    guard deletions != .explicit else { return }
    for (path, isAsked, reason) in [
      ("changes.stream", stream == .replace, "replace deletes every row by itself"),
      ("changes.saves", saves != nil, "recorded saves say which rows go"),
      ("changes.format", arriveAsJSON, "records name every row by itself"),
    ] where isAsked {
      throw values.error(path, "needs changes.deletions: explicit, since \(reason)")
    }
  }

  private func checkPace(_ values: FieldValues) throws(InputError) {
    let joined = values.number("changes.coalesce_ms")
    guard joined == 0 || joined >= 0.001 else {
      throw values.error("changes.coalesce_ms", "must be 0 or at least 0.001")
    }
    guard pace.span == .zero || pace.perSecond > 0 else {
      throw values.error("changes.coalesce_ms", "needs changes.rate_per_s, the rate of the saves")
    }
    guard pace.span == .zero || stream != .replace else {
      throw values.error(
        "changes.coalesce_ms", "must be 0 with changes.stream replace: one save cannot hold both")
    }
    guard saves != nil || longestPause == nil else {
      throw values.error("changes.longest_pause_ms", "needs changes.saves, the recorded saves")
    }
  }

  private static func saves(_ values: FieldValues) throws(InputError) -> String? {
    let name = values.text("changes.saves")
    guard name != "none" else { return nil }
    for (path, allowed) in [
      ("changes.stream", "incremental"), ("changes.rate_per_s", "0"), ("generate.inserts", "0"),
      ("generate.updates", "0"), ("generate.deletes", "0"), ("generate.story", "rows"),
      ("entity.references", "[]"), ("user.edited_rows", "untouched"),
    ] where values[path].asOverride != allowed {
      throw values.error(path, "must be \(allowed) with changes.saves, which says what changes")
    }
    guard values.integer("generate.rows") != nil else {
      throw values.error("generate.rows", "changes.saves needs it: how many rows there are before")
    }
    for other in values.others {
      guard other.references.isEmpty,
        ["inserts", "updates", "deletes"].allSatisfy({ other.counts[$0] ?? 0 == 0 })
      else {
        throw other.node.error("with changes.saves, state its key and its rows only")
      }
    }
    return try values.existingFile(name) { values.error("changes.saves", $0) }
  }
}
