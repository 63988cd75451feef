import Support

package enum EditedRows: String, CaseIterable, Sendable {
  case untouched
  /// Rows that the stream updates, in an attribute that it leaves unchanged.
  case updated
}

package enum AskingPlace: String, CaseIterable, Sendable {
  case main, background
}

extension Scenario {
  package struct User: Sendable, Equatable {
    package var fetchesPerSecond = 0.0
    package var editsPerSecond = 0.0
    package var editedRows = EditedRows.untouched
    package var editedAttribute: Int
    package var countsPerSecond = 0.0
    /// A predicate over the scenario's entity; nil for all rows.
    package var countPredicate: String?
    package var searchesPerSecond = 0.0
    /// A predicate with `$text`; nil if the user does not search.
    package var searchPredicate: String?
    package var asksIn = AskingPlace.main

    static let fields = [
      ScenarioField(
        "user.fetches_per_s", .number(0...10_000), default: .integer(0), unit: "1/s",
        "Fetches of one row by its key that the user causes on main meanwhile."),
      ScenarioField(
        "user.edits_per_s", .number(0...10_000), default: .integer(0), unit: "1/s",
        "Edits that the user makes and saves on main meanwhile. Only with `changes.stream` `incremental`."
      ),
      ScenarioField(
        "user.edited_rows", .choice(of: EditedRows.self), default: .text("untouched"),
        "The rows that edits change. `untouched`: rows that the worker leaves alone. `updated`: rows that the worker updates too, in another attribute. Both contexts then merge by property, and both changes stand."
      ),
      ScenarioField(
        "user.edited", .attribute, default: .text("auto"),
        "The attribute that edits change; `auto` is the last one that neither is the key nor decides the list's order."
      ),
      ScenarioField(
        "user.counts_per_s", .number(0...10_000), default: .integer(0), unit: "1/s",
        "Counts that the screen asks for meanwhile, as for a badge."),
      ScenarioField(
        "user.count_where", .predicate, default: .text("none"),
        "The rows that such a count counts: a predicate, which may follow relationships."),
      ScenarioField(
        "user.searches_per_s", .number(0...1000), default: .integer(0), unit: "1/s",
        "Letters that the user types into a search field meanwhile. Each letter searches the list."
      ),
      ScenarioField(
        "user.search_where", .predicate, default: .text("none"),
        "The rows of the list that a search finds: a predicate with `$text`, the beginning of a word of a row, such as `name CONTAINS[cd] $text`."
      ),
      ScenarioField(
        "user.asks_in", .choice(of: AskingPlace.self), default: .text("main"),
        "Where counts and searches run. `background`: main shows the answer later, unless the user has typed on. Needs counts, searches or their predicates."
      ),
    ]
  }
}

extension Scenario.User {
  /// Whether the screen asks for counts or searches.
  package var asks: Bool { countsPerSecond > 0 || searchesPerSecond > 0 }

  var needsLastingRows: Bool { fetchesPerSecond > 0 || searchesPerSecond > 0 }

  init(_ values: FieldValues, _ entity: RowDescription, _ order: ListOrder) throws(InputError) {
    fetchesPerSecond = values.number("user.fetches_per_s")
    editsPerSecond = values.number("user.edits_per_s")
    editedRows = values.choice("user.edited_rows")
    editedAttribute = try Self.editedAttribute(values, entity, order)
    countsPerSecond = values.number("user.counts_per_s")
    countPredicate = values.predicate("user.count_where")
    searchesPerSecond = values.number("user.searches_per_s")
    searchPredicate = values.predicate("user.search_where")
    asksIn = values.choice("user.asks_in")
    try checkQuestions(values)
    for path in ["user.edits_per_s", "changes.second_worker"] where values.number(path) > 0 {
      try checkEditing(path, values, entity)
    }
    guard editsPerSecond == 0 || values.number("changes.second_worker") == 0 else {
      throw values.error(
        "changes.second_worker",
        "must be 0 with user.edits_per_s: both would change the same attribute of the same rows")
    }
  }

  private func checkQuestions(_ values: FieldValues) throws(InputError) {
    guard searchesPerSecond == 0 || searchPredicate != nil else {
      throw values.error(
        "user.searches_per_s", "needs user.search_where, such as `name CONTAINS[cd] $text`")
    }
    guard searchesPerSecond == 0 || values.integer("list.count") != 0 else {
      throw values.error("user.searches_per_s", "must be 0 with list.count 0: there is no list")
    }
    // A sweep may set the rate of a question to 0, so a predicate is enough.
    let mayAsk = asks || countPredicate != nil || searchPredicate != nil
    guard mayAsk || !values.given.contains("user.asks_in") else {
      throw values.error(
        "user.asks_in",
        "is for counts and searches, and the scenario has none;"
          + " set user.counts_per_s or user.searches_per_s, or leave it out")
    }
  }

  private func checkEditing(
    _ path: String, _ values: FieldValues, _ entity: RowDescription
  ) throws(InputError) {
    let stream = values.text("changes.stream")
    guard stream == StreamKind.incremental.rawValue else {
      throw values.error(
        path,
        "must be 0 with changes.stream \(stream); choose incremental, whose worker leaves rows for edits"
      )
    }
    guard editedAttribute != entity.keyIndex else {
      throw values.error(path, "\(entity.name) has nothing to edit but its key")
    }
  }

  private static func editedAttribute(
    _ values: FieldValues, _ entity: RowDescription, _ order: ListOrder
  ) throws(InputError) -> Int {
    let name = values.text("user.edited")
    if name == "auto" {
      let sorted = order.terms.map(\.attribute)
      let others = entity.attributes.indices.filter { $0 != entity.keyIndex }
      return others.last { !sorted.contains($0) } ?? others.last ?? entity.keyIndex
    }
    let index = try values.index(of: name, in: entity.attributes, for: "user.edited")
    guard index != entity.keyIndex else {
      throw values.error("user.edited", "'\(name)' is the key, which never changes")
    }
    return index
  }
}
