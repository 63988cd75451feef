import DataModel
import Support

/// How generated rows are made.
package enum Story: String, CaseIterable, Sendable {
  /// Rows of every entity, with each attribute random.
  case rows
  /// A hospital's patients, beds and work: see `Hospital`.
  case hospital

  static let allNames = allCases.map(\.rawValue)

  /// Part of the digest of generated rows of several entities. Change it with the algorithm.
  static let version = "topobench stories 1"
}

// Rows of several entities that refer to one another, made from a seed:
//
//   Task ──▶ Person ──▶ Person
//        ╰──▶ Project
//
// A reference leads to a random row that exists before and after the changes. A reference of a new
// row may lead to a new row too. A reference to the row's own entity leads to a lower number.

/// The rows of every entity, before and after the changes.
struct GeneratedTables {
  private struct Table {
    let entity: RowDescription
    let counts: Generation
    let generator: RowGenerator
    let deleted: Set<Int>
    let updated: [Int]
    /// The numbers of the rows that exist both before and after.
    let lasting: [Int]
    /// The numbers of the rows that exist after: the lasting rows and the new ones.
    let final: [Int]
  }

  private let tables: [Table]

  init(_ list: RowDescription, _ generation: Generation, _ others: [(RowDescription, Generation)]) {
    tables = ([(list, generation)] + others).enumerated().map { place, pair in
      let (entity, counts) = pair
      let touched = counts.touchedNumbers()
      let deleted = Set(touched.prefix(counts.deletes))
      let lasting = (0..<counts.rows).filter { !deleted.contains($0) }
      return Table(
        entity: entity, counts: counts,
        generator: RowGenerator(entity, seed: UInt64(counts.seed) &+ UInt64(place) &* 1_000_003),
        deleted: deleted, updated: Array(touched.dropFirst(counts.deletes)), lasting: lasting,
        final: lasting + (counts.rows..<counts.rows + counts.inserts))
    }
  }

  func rows() -> [TableRows] {
    tables.map { table in
      let before = (0..<table.counts.rows).map { row($0, of: table, among: \.lasting) }
      var after = before
      for number in table.updated {
        after[number] = table.generator.changed(before[number], number)
      }
      after = table.lasting.map { after[$0] }
      let new = table.counts.rows..<table.counts.rows + table.counts.inserts
      after += new.map { row($0, of: table, among: \.final) }
      let keyIndex = table.entity.keyIndex
      return TableRows(
        entity: table.entity, before: DataSet(rows: before, keyIndex: keyIndex),
        after: DataSet(rows: after, keyIndex: keyIndex))
    }
  }

  private func row(_ number: Int, of table: Table, among numbers: KeyPath<Table, [Int]>) -> Row {
    var random = SplitMix64(seed: UInt64(table.counts.seed), stream: 1 << 40 + UInt64(number))
    let references = table.entity.references.map { reference -> Value in
      let isNull = reference.column.isOptional && random.next(below: 8) == 0
      guard !isNull,
        let destination = tables.first(where: { $0.entity.name == reference.destination })
      else { return .null }
      var candidates = destination[keyPath: numbers][...]
      if destination.entity.name == table.entity.name {
        candidates = candidates.prefix { $0 < number }
      }
      guard !candidates.isEmpty else { return .null }
      return destination.generator.key(candidates[random.next(below: candidates.count)])
    }
    return table.generator.row(number) + references
  }
}

extension Generation {
  /// The rows of every entity of the scenario; the list's come first.
  func tables(of scenario: Scenario) throws(ScenarioError) -> [TableRows] {
    switch story {
    case .rows:
      let others = scenario.others.map { ($0.entity, $0.generation ?? self) }
      let tables = GeneratedTables(scenario.entity, self, others).rows()
      for table in tables { try table.requireReferences(scenario) }
      return tables
    case .hospital:
      var hospital = Hospital(self)
      return try told(hospital.rows(), scenario)
    }
  }

  /// Rows with their columns in the scenario's order.
  private func told(
    _ tables: [(entity: String, columns: [String], before: [Row], after: [Row])],
    _ scenario: Scenario
  ) throws(ScenarioError) -> [TableRows] {
    var told: [TableRows] = []
    for entity in scenario.entities {
      guard let table = tables.first(where: { $0.entity == entity.name }),
        Set(table.columns) == Set(entity.columns.map(\.name))
      else {
        let known = tables.map { "\($0.entity) (\($0.columns.joined(separator: ", ")))" }
        throw ScenarioError(
          .file(scenario.file, line: nil), field: "generate.story",
          "'\(story.rawValue)' has no such rows as '\(entity.name)'. It has: \(known.joined(separator: ", "))"
        )
      }
      let places = entity.columns.map { table.columns.firstIndex(of: $0.name) ?? 0 }
      func ordered(_ rows: [Row]) -> DataSet {
        DataSet(rows: rows.map { row in places.map { row[$0] } }, keyIndex: entity.keyIndex)
      }
      told.append(
        TableRows(entity: entity, before: ordered(table.before), after: ordered(table.after)))
    }
    return told
  }
}

extension TableRows {
  /// - Throws: an error if a required relationship is empty.
  fileprivate func requireReferences(_ scenario: Scenario) throws(ScenarioError) {
    for (place, reference) in entity.references.enumerated() where !reference.column.isOptional {
      let column = entity.attributes.count + place
      guard (before.rows + after.rows).contains(where: { $0[column] == .null }) else { continue }
      throw ScenarioError(
        .file(scenario.file, line: nil), field: "others.\(reference.destination)",
        "rows of \(entity.name) need rows of \(reference.destination) that last; make some")
    }
  }
}
