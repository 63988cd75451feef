import Baseline
import Foundation
import ObjectGraph
import Topologies
import Workload

/// Digests of the rows that the store and main's lists must hold, before the changes or at the end,
/// computed without the core. The rows are made again only for pairs and to say what is wrong.
package struct Expectation: Sendable {
  let fingerprint: Fingerprint
  /// Nil before the changes.
  let edits: Int?
  /// By the entity's index.
  private let lists: [Int: ExpectedList]
  /// Nil if the user asks nothing.
  private let answer: ScreenQuestions.Answer?

  /// - Parameter edits: of the user; nil for the rows before all changes.
  init(_ cell: PreparedCell, edits: Int?) {
    self.edits = edits
    let tables = Self.tables(cell, edits: edits)
    fingerprint = Fingerprint(tables, of: cell.model)
    let lists = Set(cell.scenario.list.shown).map { index in
      let rows = Self.list(ofTable: index, tables, cell)
      return (index, ExpectedList(rows, ofTable: index, cell, isChanged: edits != nil))
    }
    self.lists = Dictionary(uniqueKeysWithValues: lists)
    answer = edits == nil ? nil : ScreenQuestions.Answer(cell, tables)
  }

  /// The difference between the answers to the last questions and the expected ones; nil if there
  /// is none.
  func difference(ofAnswer found: ScreenQuestions.Answer) -> String? {
    guard let answer else { return nil }
    return answer.difference(from: found)
  }

  /// The list's rows; nil if they are the expected ones. Call on main.
  func differingRows(of list: any ListOnMain, ofTable index: Int, _ cell: PreparedCell) -> [Row]? {
    let table = cell.model.tables[index]
    let reads = index == 0 ? cell.model.related.count : 0
    func row(_ number: Int) -> Row {
      let row = table.attributes(list.row(at: number))
      guard reads > 0 else { return row }
      // Nothing from a topology that does not know what cells read.
      return row + list.cell(at: number).dropFirst(table.entity.columns.count)
    }
    let isSame = lists[index]?.holds((0..<list.count).lazy.map { Fingerprint.hash(row($0)) })
    return isSame ?? false ? nil : (0..<list.count).map(row)
  }

  /// The first difference between a list's sections and those that its rows make; nil if there is
  /// none. Call on main.
  func difference(ofSections list: any ListOnMain, ofTable index: Int, _ cell: PreparedCell)
    -> String?
  {
    guard index == 0, let section = cell.scenario.list.section else { return nil }
    let table = cell.model.tables[0]
    let expected = ExpectedSections(
      (0..<list.count).lazy.map { table.attributes(list.row(at: $0))[section.attribute] }, section)
    return expected.difference(from: list.sections)
  }

  /// The list's entity comes first, with its rows in the list's order.
  static func tables(_ cell: PreparedCell, edits: Int?) -> [[Row]] {
    guard let edits else {
      let others = cell.workload.tables.dropFirst().map(\.before.rows)
      return [cell.workload.inListOrder(cell.workload.initialRows)] + others
    }
    let list = cell.workload.inListOrder(cell.workload.expectedRows(afterEdits: edits))
    return [list] + cell.workload.tables.dropFirst().map(\.after.rows)
  }

  /// In the list's order.
  fileprivate static func list(
    ofTable table: Int, _ tables: [[Row]], _ cell: PreparedCell
  ) -> [Row] {
    let description = cell.model.tables[table].rows
    let order = cell.scenario.order(ofTable: table)
    let rows =
      table == 0
      ? cell.shown(tables[0]) : tables[table].sorted { order.isOrdered($0, before: $1) }
    let reads = table == 0 ? ExpectedReads(cell, tables) : nil
    guard !description.references.isEmpty || reads != nil else { return rows }
    return rows.map { row in
      Row(row.prefix(description.attributes.count)) + (reads?.values(of: row) ?? [])
    }
  }
}

extension Fingerprint {
  fileprivate init(_ tables: [[Row]], of model: StoreModel) {
    self.init(tables[0])
    for (table, rows) in zip(model.tables, tables).dropFirst() { add(rows, of: table.rows.name) }
  }
}

/// Checks that the store, read back by plain SQL, and main's lists hold the expected rows.
struct StoreVerification {
  let fingerprint: String
  var wrong: String?

  /// - Parameters:
  ///   - lists: the rows of each list, or nil if they are the expected ones.
  ///   - sections: the first difference of a list's sections.
  init(
    _ cell: PreparedCell, _ expectation: Expectation, store: URL, lists: [[Row]?],
    sections: String? = nil
  ) throws {
    var fingerprint = Fingerprint()
    try Self.forEachRow(in: store, of: cell.model) { index, row in
      if index == 0 {
        fingerprint.add(row)
      } else {
        fingerprint.add([row], of: cell.model.tables[index].rows.name)
      }
    }
    self.fingerprint = fingerprint.hex
    if fingerprint != expectation.fingerprint {
      wrong = try Self.difference(of: store, expectation, cell)
    } else if lists.contains(where: { $0 != nil }) {
      wrong = Self.difference(of: lists, expectation, cell)
    } else {
      wrong = try sections ?? Self.difference(ofPairsIn: store, expectation, cell)
    }
  }

  private static func forEachRow(
    in store: URL, of model: StoreModel, _ body: (_ table: Int, Row) -> Void
  ) throws {
    let reader = try PlainReader(store)
    let keys = try model.tables.map { table in
      var keys: [Int64: Value] = [:]
      guard table.isReferredTo(by: model.tables) else { return keys }
      try reader.forEachRow(of: table.entity) { keys[$0.key] = table.key(of: $0) }
      return keys
    }
    for (index, table) in model.tables.enumerated() {
      let destinations = table.destinations.map { keys[$0] }
      try reader.forEachRow(of: table.entity) { body(index, table.row($0, keys: destinations)) }
    }
  }

  private static func difference(
    of store: URL, _ expectation: Expectation, _ cell: PreparedCell
  ) throws -> String {
    let expected = Expectation.tables(cell, edits: expectation.edits)
    var stored = [[Row]](repeating: [], count: expected.count)
    try forEachRow(in: store, of: cell.model) { stored[$0].append($1) }
    for (index, table) in cell.model.tables.enumerated() {
      let place = index == 0 ? "the store" : "the store's \(table.rows.name)"
      let found = difference(stored[index], expected[index], key: table.rows.keyIndex, place: place)
      if let found { return found }
    }
    return "the store holds a row twice"
  }

  private static func difference(
    of lists: [[Row]?], _ expectation: Expectation, _ cell: PreparedCell
  ) -> String? {
    let tables = Expectation.tables(cell, edits: expectation.edits)
    for (number, (index, rows)) in zip(cell.scenario.list.shown, lists).enumerated() {
      guard let rows else { continue }
      let place = number == 0 ? "the list on main" : "list \(number + 1) on main"
      let expected = Expectation.list(ofTable: index, tables, cell)
      if index == 0, let limit = cell.scenario.list.limit {
        return "\(place) shows \(rows.count) rows, and not those that list.limit \(limit) asks for"
      }
      let key = cell.model.tables[index].rows.keyIndex
      return difference(rows, expected, key: key, place: place)
        ?? "\(place) holds the right rows in the wrong order"
    }
    return nil
  }

  private static func difference(
    _ found: [Row], _ expected: [Row], key: Int, place: String
  ) -> String? {
    let found = Dictionary(found.map { ($0[key], $0) }, uniquingKeysWith: { first, _ in first })
    let expected = Dictionary(
      expected.map { ($0[key], $0) }, uniquingKeysWith: { first, _ in first })
    for (verb, what, keys) in [
      ("lacks", "row(s)", expected.keys.filter { found[$0] == nil }),
      ("holds", "row(s) too many", found.keys.filter { expected[$0] == nil }),
      ("holds", "row(s) with other values", expected.keys.filter { found[$0] != expected[$0] }),
    ] {
      guard let first = keys.min() else { continue }
      return "\(place) \(verb) \(keys.count) \(what), the first with the key \(first)"
    }
    return nil
  }
}
