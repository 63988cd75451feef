import Support

package enum Story: String, CaseIterable, Sendable {
  case rows
  case hospital

  /// Part of the digest of generated rows of several entities. Change it with the algorithm.
  static let version = "topobench stories 1"
}

/// How many rows a scenario generates, deletes, updates and inserts.
package struct Generation: Sendable, Equatable {
  /// Before the window opens.
  package private(set) var rows: Int
  package private(set) var inserts: Int
  package private(set) var updates: Int
  package private(set) var deletes: Int
  /// The generated share of the scenario's numbers; the numbers above are scaled already.
  package let percent: Double
  package let seed: Int
  package let story: Story

  static let fields =
    [
      ScenarioField(
        "generate.rows", .integer(0...10_000_000, orWord: "none"), default: .text("none"),
        unit: "rows",
        "Rows that the store holds when the window opens, made from a seed; in the place of data files."
      ),
      count("inserts", "New rows, made likewise."),
      count("updates", "How many of the rows change, in one attribute each."),
      count("deletes", "How many of the rows that do not change are deleted."),
      ScenarioField(
        "generate.percent", .number(0.01...100), default: .integer(100), unit: "%",
        "The share of all these numbers that is made, of `others` and `changes.saves` too; rounded up."
      ),
      ScenarioField(
        "generate.story", .choice(of: Story.self), default: .text("rows"),
        "`rows`: each attribute is drawn by itself. `hospital`: patients with their beds, wards, nurses and work; of those that are no longer reported, every third stays."
      ),
      ScenarioField(
        "generate.seed", .integer(0...1_000_000_000), default: .integer(1),
        "The seed of rows and changes; `--seed` decides their order, and which rows `changes.saves` changes."
      ),
    ]

  private static func count(_ name: String, _ meaning: String) -> ScenarioField {
    ScenarioField(
      "generate.\(name)", .integer(0...10_000_000), default: .integer(0), unit: "rows", meaning)
  }

  /// The deleted rows, then the updated ones, in random order.
  func touchedNumbers() -> [Int] {
    var random = SplitMix64(seed: UInt64(seed), stream: .max)
    var numbers = Array(0..<rows)
    for index in 0..<(deletes + updates) {
      numbers.swapAt(index, index + random.next(below: numbers.count - index))
    }
    return Array(numbers.prefix(deletes + updates))
  }

  /// At most `most` rows of each kind: untouched, updated, deleted and new.
  func limited(to most: Int) -> Generation {
    var limited = self
    limited.inserts = min(inserts, most)
    limited.updates = min(updates, most)
    limited.deletes = min(deletes, most)
    let untouched = min(rows - updates - deletes, most)
    limited.rows = untouched + limited.updates + limited.deletes
    return limited
  }

  /// Nil if the rows come from files.
  init?(_ values: FieldValues, _ entity: RowDescription) throws(InputError) {
    guard values.integer("generate.rows") != nil else { return nil }
    try self.init(
      values, of: entity, story: values.choice("generate.story"),
      count: { values.integer("generate.\($0)") ?? 0 },
      wrong: { values.error("generate.\($0)", $1) })
    for path in ["data.rows", "data.format", "data.columns", "data.ignore"]
    where values[path].json != ScenarioField.named(path)?.defaultValue?.json {
      throw values.error(path, "is for data files; with generate.rows there are none")
    }
  }

  init(
    _ description: OtherRowsDescription, of entity: RowDescription, _ values: FieldValues
  ) throws(InputError) {
    let story = values.text("generate.story")
    if story != Story.rows.rawValue {
      try description.checkHasNoCounts("generate.story \(story) decides how many there are")
    }
    try self.init(
      values, of: entity, story: .rows, count: { description.counts[$0] ?? 0 },
      wrong: { description.error($0, $1) })
  }

  /// - Parameter count: gives a count by its name, before `generate.percent`.
  private init(
    _ values: FieldValues, of entity: RowDescription, story: Story, count: (String) -> Int,
    wrong: (_ name: String, _ message: String) -> InputError
  ) throws(InputError) {
    let (allUpdates, allDeletes) = (count("updates"), count("deletes"))
    guard allUpdates + allDeletes <= count("rows") else {
      throw wrong(
        "updates",
        "\(allUpdates) updates and \(allDeletes) deletes need as many rows;"
          + " there are \(count("rows"))")
    }
    guard allUpdates == 0 || entity.attributes.count > 1 else {
      throw wrong("updates", "\(entity.name) has nothing to change but its key")
    }
    percent = values.number("generate.percent")
    inserts = count("inserts").share(percent: percent)
    updates = allUpdates.share(percent: percent)
    deletes = allDeletes.share(percent: percent)
    // Each share is rounded up, so both together may need one row more than the rows' share.
    rows = max(count("rows").share(percent: percent), updates + deletes)
    seed = values.integer("generate.seed") ?? 1
    self.story = story
  }

  static func checkIsNotAsked(by values: FieldValues) throws(InputError) {
    let problem = "needs generate.rows; the rows come from data files"
    for field in fields where values[field.path].json != field.defaultValue?.json {
      throw values.error(field.path, problem)
    }
    for other in values.others { try other.checkHasNoCounts(problem) }
  }
}

extension Int {
  /// Rounded up, without errors of floating-point numbers: 0.07 % of 10,000 is 7, not 8.
  func share(percent: Double) -> Int {
    Int((Double(self) * percent / 100 - 1e-6).rounded(.up))
  }
}
