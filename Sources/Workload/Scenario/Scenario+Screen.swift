import DataModel
import Support

/// The objects that the main context has realised when the window opens.
package enum Realisation: String, CaseIterable, Sendable {
  case none, visible, all
}

extension Scenario {
  package struct List: Sendable, Equatable {
    package let order: ListOrder
    /// A predicate over the scenario's entity; nil for all rows.
    package let predicate: String?
    /// Nil for all rows.
    package let limit: Int?
    /// 0 for all rows at once.
    package let batchSize: Int
    /// Key paths of relationships.
    package let prefetching: [String]
    /// Key paths of values.
    package let reads: [String]
    package let section: Section?
    package let visibleRows: Int
    package let scrollRowsPerSecond: Double
    /// In hertz.
    package let frameRate: Double
    /// The entity of each list, by its index. The first list is on screen; there may be none.
    package let shown: [Int]

    /// Divides the list into sections. Holds the index of the attribute.
    package enum Section: Sendable, Equatable {
      case attribute(Int)
      case month(Int)

      package var attribute: Int {
        switch self {
        case .attribute(let index), .month(let index): index
        }
      }
    }

    static let fields = [
      ScenarioField(
        "main.realised", .choice(of: Realisation.self), default: .text("visible"),
        "Which objects the main context holds with their values when the window opens."),
      ScenarioField(
        "main.realised_percent", .number(0...100), default: .integer(0), unit: "%",
        "The share of the list that main has read besides, rounded up, evenly spread over it."),
      ScenarioField(
        "list.sort", .order, default: .list([]),
        "The list's order, `-` for descending. A text followed by `localized` or `localized-case-insensitive` sorts as readers expect. The key is added, so that no two rows are equal."
      ),
      ScenarioField(
        "list.where", .predicate, default: .text("none"),
        "The rows that the list shows: a predicate over attributes, as in `NSPredicate`, such as `archived == NO`."
      ),
      ScenarioField(
        "list.limit", .integer(0...10_000_000), default: .integer(0), unit: "rows",
        "The most rows that a fetch of the list reads; 0 for all. As in Core Data, a fetched results controller later adds every matching row that it learns of."
      ),
      ScenarioField(
        "list.batch_size", .integer(0...1_000_000), default: .integer(0), unit: "rows",
        "How many rows the list reads at a time, as they are shown; 0 for all at once. A child context reads all at once."
      ),
      ScenarioField(
        "list.prefetch", .keyPaths, default: .list([]),
        "Relationships whose objects are read with the rows."),
      ScenarioField(
        "list.reads", .valuePaths, default: .list([]),
        "Values that each cell reads besides its row. `last(date)`: the last object in order of `date`. A list of lists sweeps it."
      ),
      ScenarioField(
        "list.section_by", .section, default: .text("none"),
        "Divides the list into sections, and sorts it by the attribute first. Only an object can compute a month."
      ),
      ScenarioField(
        "list.visible_rows", .integer(0...10_000), default: .integer(12), unit: "rows",
        "How many rows the screen shows."),
      ScenarioField(
        "list.scroll_rows_per_s", .number(0...100_000), default: .integer(0), unit: "rows/s",
        "How fast the list scrolls; 0 stands still."),
      ScenarioField(
        "list.frame_rate_hz", .number(1...1000), default: .integer(60), unit: "Hz",
        "The grid on which frames are due."),
      ScenarioField(
        "list.count", .integer(0...100), default: .integer(1), unit: "lists",
        "How many lists main keeps current; the first is on screen. 0: main shows nothing, as behind another screen, and `visible_ms` and `main_deferred_ms` are empty."
      ),
      ScenarioField(
        "list.share_entity", .choice(["true", "false"]), default: .text("true"),
        "Whether all lists show the saved rows. `false`: only the first of several lists does. The others, or a single list, show the first entity of `others`, whose rows must not change."
      ),
    ]
  }

  package struct Drawing: Sendable, Equatable {
    package var delta = Duration.zero
    package var cell = Duration.zero
    package var reload = Duration.zero
    package var frame = Duration.zero
    /// For each row of the list at every change.
    package var snapshotItem = Duration.zero

    package static let free = Drawing()

    static let fields = [
      cost("delta", "each insert, delete, move or update that reaches the list"),
      cost("cell", "each cell that is laid out"),
      cost("reload", "each reload of the whole list"),
      cost("frame", "each frame"),
      cost("snapshot_item", "each row of the list in a snapshot, one after each change,"),
    ]

    private static func cost(_ name: String, _ what: String) -> ScenarioField {
      ScenarioField(
        "drawing.\(name)_us", .number(0...1_000_000), default: .integer(0), unit: "µs",
        "What \(what) costs on the main queue.")
    }
  }
}

extension Scenario.List {
  init(_ values: FieldValues, _ entity: RowDescription) throws(InputError) {
    section = try values.section(in: entity)
    order = try ListOrder(values, entity, section)
    predicate = values.predicate("list.where")
    limit = values.integer("list.limit").flatMap { $0 == 0 ? nil : $0 }
    batchSize = values.integer("list.batch_size") ?? 0
    prefetching = values.texts("list.prefetch")
    reads = values.texts("list.reads")
    visibleRows = values.integer("list.visible_rows") ?? 0
    scrollRowsPerSecond = values.number("list.scroll_rows_per_s")
    frameRate = values.number("list.frame_rate_hz")
    shown = try Self.shown(values)
    guard visibleRows > 0 || scrollRowsPerSecond == 0 else {
      throw values.error(
        "list.scroll_rows_per_s", "a list without visible rows cannot scroll; set list.visible_rows"
      )
    }
    guard !shown.isEmpty || values.text("asks_about") == ScreenPhase.change.rawValue else {
      throw values.error("asks_about", "must be 'change' with list.count 0: there is no list")
    }
    guard !shown.isEmpty || scrollRowsPerSecond == 0 else {
      throw values.error("list.scroll_rows_per_s", "must be 0 with list.count 0")
    }
    guard !shown.contains(0) else { return }
    guard values.number("main.realised_percent") == 0 else {
      throw values.error("main.realised_percent", "must be 0: no list holds the rows")
    }
    for name in ["where", "limit", "batch_size", "prefetch", "reads", "section_by"] {
      let path = "list.\(name)"
      guard values[path] == ScenarioField.named(path)?.defaultValue else {
        throw values.error(path, "has no effect: no list shows the rows")
      }
    }
  }

  private static func shown(_ values: FieldValues) throws(InputError) -> [Int] {
    let count = values.integer("list.count") ?? 1
    let isUnrelated = values.text("changes.unrelated") == "true"
    guard isUnrelated || values.text("list.share_entity") == "false" else {
      return Array(repeating: 0, count: count)
    }
    let path = isUnrelated ? "changes.unrelated" : "list.share_entity"
    guard !values.others.isEmpty else {
      throw values.error(path, "needs an entity in `others` that the lists can show")
    }
    return (0..<count).map { $0 == 0 && count > 1 && !isUnrelated ? 0 : 1 }
  }
}

extension ListOrder {
  /// A section's attribute comes first, unless the terms begin with it.
  fileprivate init(
    _ values: FieldValues, _ entity: RowDescription, _ section: Scenario.List.Section?
  ) throws(InputError) {
    var terms: [Term] = []
    for text in values.texts("list.sort") {
      let isDescending = text.hasPrefix("-")
      let words = text.dropFirst(isDescending ? 1 : 0).split(separator: " ", maxSplits: 1)
      let comparison = words.count < 2 ? .bytes : TextComparison(rawValue: String(words[1]))
      guard let name = words.first.map(String.init), let comparison else {
        throw values.error(
          "list.sort",
          "\(text.quoted) is no order; write an attribute, or an attribute and "
            + TextComparison.allCases.map(\.rawValue.quoted).joined(separator: " or "))
      }
      let index = try values.index(of: name, in: entity.attributes, for: "list.sort")
      guard !terms.contains(where: { $0.attribute == index }) else {
        throw values.error("list.sort", "\(name.quoted) occurs twice")
      }
      guard comparison == .bytes || entity.attributes[index].type == .string else {
        throw values.error("list.sort", "\(name.quoted) is no text; leave out the second word")
      }
      terms.append(
        Term(attribute: index, isDescending: isDescending, comparison: comparison))
    }
    if let section, let place = terms.firstIndex(where: { $0.attribute == section.attribute }) {
      guard place == 0, terms[0].comparison == .bytes else {
        throw values.error(
          "list.sort",
          "must begin with \(entity.attributes[section.attribute].name.quoted), the attribute of"
            + " list.section_by, without a second word; or leave it out")
      }
    } else if let section {
      terms.insert(Term(attribute: section.attribute), at: 0)
    }
    self.init(terms, keyIndex: entity.keyIndex)
  }
}

extension FieldValues {
  fileprivate func section(in entity: RowDescription) throws(InputError) -> Scenario.List.Section? {
    let path = "list.section_by"
    switch self[path] {
    case .text("none"): return nil
    case .text(let name): return .attribute(try index(of: name, in: entity.attributes, for: path))
    default:
      let name = mapping(path)["month_of"] ?? ""
      let index = try index(of: name, in: entity.attributes, for: path)
      guard entity.attributes[index].type == .date else {
        throw error(path, "\(name.quoted) is no date")
      }
      return .month(index)
    }
  }
}

extension Scenario.Drawing {
  init(_ values: FieldValues) {
    delta = .microseconds(values.number("drawing.delta_us"))
    cell = .microseconds(values.number("drawing.cell_us"))
    reload = .microseconds(values.number("drawing.reload_us"))
    frame = .microseconds(values.number("drawing.frame_us"))
    snapshotItem = .microseconds(values.number("drawing.snapshot_item_us"))
  }
}
