import DataModel
import Support

// Rows of several entities that refer to one another, made from a seed:
//
//   Task ──▶ Person ──▶ Person
//        ╰──▶ Project
//
// A reference leads to a random row that exists before and after the changes. If rules delete rows,
// it leads to any row that exists before. A reference of a new row may lead to a new row too. A
// reference to the row's own entity leads to a lower number.

struct GeneratedTables {
  private struct Table {
    let entity: RowDescription
    let counts: Generation
    let generator: RowGenerator
    let updated: ArraySlice<Int>
    /// The numbers of the rows that exist before.
    let initial: [Int]
    /// The numbers of the rows that exist both before and after.
    let lasting: [Int]
    /// The numbers of the rows that exist only after.
    let new: Range<Int>
    /// The numbers of the rows that exist after the changes.
    let final: [Int]

    init(_ entity: RowDescription, _ counts: Generation, index: Int) {
      self.entity = entity
      self.counts = counts
      generator = RowGenerator(entity, of: counts, index: index)
      let touched = counts.touchedNumbers()
      let deleted = Set(touched.prefix(counts.deletes))
      updated = touched.dropFirst(counts.deletes)
      initial = Array(0..<counts.rows)
      lasting = initial.filter { !deleted.contains($0) }
      new = counts.rows..<counts.rows + counts.inserts
      final = lasting + new
    }
  }

  private let tables: [Table]

  /// - Parameter entities: the list's comes first.
  init(_ entities: [(RowDescription, Generation)]) {
    tables = entities.enumerated().map { Table($1.0, $1.1, index: $0) }
  }

  /// - Parameter leadsToGone: whether references may lead to rows that are deleted.
  func rows(leadsToGone: Bool) -> [TableRows] {
    tables.map { table in
      let before = (0..<table.counts.rows).map {
        row($0, of: table, among: leadsToGone ? \.initial : \.lasting)
      }
      var after = before
      for number in table.updated {
        after[number] = table.generator.changed(before[number], number)
      }
      after = table.lasting.map { after[$0] }
      after += table.new.map { row($0, of: table, among: \.final) }
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
        candidates = candidates.below(number)
      }
      guard !candidates.isEmpty else { return .null }
      return destination.generator.key(candidates[random.next(below: candidates.count)])
    }
    return table.generator.row(number) + references
  }
}

extension ArraySlice<Int> {
  /// The numbers below the limit, of ascending ones.
  fileprivate func below(_ limit: Int) -> Self {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return self[..<low]
  }
}

extension Generation {
  /// The list's rows come first.
  func tables(of scenario: Scenario) throws(InputError) -> [TableRows] {
    switch story {
    case .rows:
      let others = scenario.others.map { ($0.entity, $0.generation ?? self) }
      let tables = GeneratedTables([(scenario.entity, self)] + others)
        .rows(leadsToGone: scenario.changes.deletions != .explicit)
      for table in tables { try table.requireReferences(among: tables, scenario) }
      return tables
    case .hospital:
      var hospital = Hospital(self)
      let rows = hospital.rows()
      return try scenario.entities.map { (entity) throws(InputError) in
        try table(of: entity, rows, scenario)
      }
    }
  }

  /// A story's rows of the entity, with their columns in the scenario's order.
  private func table(
    of entity: RowDescription, _ rows: [Hospital.Table], _ scenario: Scenario
  ) throws(InputError) -> TableRows {
    let names = entity.columns.map(\.name)
    guard let table = rows.first(where: { $0.entity == entity.name }),
      Set(table.columns) == Set(names)
    else {
      let known = rows.map { "\($0.entity) (\($0.columns.joined(separator: ", ")))" }
      throw scenario.error(
        "generate.story",
        message:
          "the story '\(story.rawValue)' has no entity '\(entity.name)' with these columns. It has: "
          + "\(known.joined(separator: ", "))"
      )
    }
    let indexes = names.compactMap(table.columns.firstIndex)
    func ordered(_ rows: [Row]) -> DataSet {
      DataSet(rows: rows.map { row in Row(indexes.map { row[$0] }) }, keyIndex: entity.keyIndex)
    }
    return TableRows(entity: entity, before: ordered(table.before), after: ordered(table.after))
  }
}

extension TableRows {
  /// - Throws: an error if a required relationship is empty.
  fileprivate func requireReferences(
    among tables: [TableRows], _ scenario: Scenario
  ) throws(InputError) {
    for (index, reference) in entity.references.enumerated() where !reference.column.isOptional {
      let column = entity.attributes.count + index
      guard (before.rows + after.rows).contains(where: { $0[column] == .null }) else { continue }
      let name = reference.destination
      throw scenario.error(
        name == scenario.entity.name ? "generate.rows" : "others.\(name)", "generate.percent",
        "generate.rows",
        message: "rows of \(entity.name) need rows of \(name) that stay; add some"
          + (mayGoByRule(column, tables, scenario) ? ", or set changes.deletions: by-rule" : ""))
    }
  }

  /// Whether a rule could delete these rows with those to which the column leads. A rule that only
  /// empties the column cannot help, for it is required.
  private func mayGoByRule(_ column: Int, _ tables: [TableRows], _ scenario: Scenario) -> Bool {
    guard scenario.changes.deletions == .explicit else { return false }
    return DeleteRules(scenario).references.contains { rule in
      rule.isOwned && rule.column == column && tables[rule.table].entity.name == entity.name
        && !tables[rule.destination].before.rows.isEmpty
    }
  }
}

// A hospital as its server reports it, made from a seed. No data of real persons:
//
//   Ward ◀── Bed ◀── Patient ◀── Work ──▶ Nurse ──▶ Ward
//
// At first no patient is marked. A report names the present patients, and the worker marks them. Of
// the patients that the report omits, every third still has open work and stays, not marked. The
// other omitted patients are deleted.

struct Hospital {
  /// The rows of one entity, with the names of their columns.
  typealias Table = (entity: String, columns: [String], before: [Row], after: [Row])

  private let counts: Generation
  private var random: SplitMix64
  private let wards: Int
  private let beds: Int
  private let nurses: Int

  init(_ counts: Generation) {
    self.counts = counts
    random = SplitMix64(seed: UInt64(counts.seed), stream: .max - 1)
    wards = counts.rows / 50 + 1
    nurses = counts.rows / 8 + 1
    beds = counts.rows + counts.inserts
  }

  mutating func rows() -> [Table] {
    let touched = counts.touchedNumbers()
    let unnamed = Array(touched.prefix(counts.deletes))
    let staying = Set(unnamed.indices.filter { $0 % 3 == 0 }.map { unnamed[$0] })
    let leaving = Set(unnamed).subtracting(staying)
    let moved = Set(touched.dropFirst(counts.deletes))
    let before = (0..<counts.rows).map { patient($0, bed: $0, isNamed: false) }
    var after: [Row] = []
    for number in 0..<counts.rows where !leaving.contains(number) {
      var row = before[number]
      row[3] = .bool(!staying.contains(number))
      if moved.contains(number) { row[4] = bedKey(random.next(below: beds)) }
      after.append(row)
    }
    after += (counts.rows..<beds).map { patient($0, bed: $0, isNamed: true) }
    let work = work(leaving: leaving, staying: staying)
    let wardRows = (0..<wards).map { [wardKey($0), .string("Ward \($0 + 1)")] as Row }
    let bedRows = (0..<beds).map { [bedKey($0), wardKey($0 % wards)] as Row }
    let nurseRows = (0..<nurses).map { number in
      [.int64(Int64(number + 1)), .string(RowGenerator.words(&random)), wardKey(number % wards)]
        as Row
    }
    return [
      ("Patient", ["id", "name", "admitted", "not_dirty", "bed"], before, after),
      ("Ward", ["code", "title"], wardRows, wardRows),
      ("Bed", ["number", "ward"], bedRows, bedRows),
      ("Nurse", ["id", "name", "ward"], nurseRows, nurseRows),
      ("Work", ["id", "minutes", "done", "patient", "nurse"], work.before, work.after),
    ]
  }

  private mutating func patient(_ number: Int, bed: Int, isNamed: Bool) -> Row {
    [
      .int64(Int64(number + 1)), .string(RowGenerator.words(&random)),
      .date(secondsSince2001: Double(random.next(below: 800_000_000))), .bool(isNamed), bedKey(bed),
    ]
  }

  /// Two pieces of work for each patient. Both are done for leaving patients, and both are open for
  /// those that stay unmarked. For other patients, the first is done, and the second may be done
  /// after the changes.
  private mutating func work(
    leaving: Set<Int>, staying: Set<Int>
  ) -> (before: [Row], after: [Row]) {
    var (before, after): ([Row], [Row]) = ([], [])
    for number in 0..<beds {
      for piece in 0..<2 {
        let isDone = leaving.contains(number) || (!staying.contains(number) && piece == 0)
        var row: Row = [
          .int64(Int64(number * 2 + piece + 1)), .int64(Int64(5 + random.next(below: 90))),
          .bool(isDone), .int64(Int64(number + 1)), .int64(Int64(random.next(below: nurses) + 1)),
        ]
        if number < counts.rows { before.append(row) }
        guard !leaving.contains(number) else { continue }
        if !isDone, !staying.contains(number), random.next(below: 2) == 0 { row[2] = .bool(true) }
        after.append(row)
      }
    }
    return (before, after)
  }

  private func wardKey(_ number: Int) -> Value { .string("W\(number + 1)") }
  private func bedKey(_ number: Int) -> Value { .int64(Int64(number + 1)) }
}
