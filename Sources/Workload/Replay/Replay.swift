import DataModel
import Support

// At 180 ms: Message 2 inserted, 1 updated ─▶ rows 41 and 42, and a random existing row
//
// As in an app, a row may be updated in several saves, and deleted after it was inserted. A save
// touches each row once.

/// Chooses the rows that the saves of a recording change.
struct Replay {
  private struct Table {
    let entity: RowDescription
    let generator: RowGenerator
    let before: DataSet
    /// The rows by number; nil for deleted ones.
    var rows: [Row?]
    /// The numbers of existing rows, in any order.
    var present: [Int]
    var shares: Shares

    init(_ table: TableRows, index: Int, _ generation: Generation) {
      entity = table.entity
      before = table.before
      generator = RowGenerator(entity, of: generation, index: index)
      rows = table.before.rows
      present = Array(rows.indices)
      shares = Shares(percent: generation.percent)
    }
  }

  private let file: String
  private let percent: Double
  private var tables: [Table]
  /// Of each entity's table.
  private let places: [String: Int]
  private var random: SplitMix64
  private(set) var batches: [[Change]] = []
  /// After the window's opening.
  private(set) var due: [Duration] = []
  /// The list's updated rows.
  private(set) var touched: Set<Value> = []

  /// - Parameter tables: the rows before the saves.
  init(
    _ saves: [RecordedSave], of file: String, _ tables: [TableRows], _ generation: Generation,
    longestPause: Duration?, seed: UInt64
  ) throws(InputError) {
    self.file = file
    percent = generation.percent
    self.tables = tables.enumerated().map { Table($1, index: $0, generation) }
    places = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.entity.name, $0) })
    random = SplitMix64(seed: seed, stream: 6)
    var last = Duration.zero
    var lastDue = Duration.zero
    for save in saves {
      let batch = try batch(save)
      guard !batch.isEmpty else { continue }
      lastDue += min(save.at - last, longestPause ?? save.at)
      last = save.at
      batches.append(batch)
      due.append(lastDue)
    }
  }

  var rows: [TableRows] {
    tables.map { table in
      TableRows(
        entity: table.entity, before: table.before,
        after: DataSet(rows: table.rows.compactMap { $0 }, keyIndex: table.entity.keyIndex))
    }
  }

  private mutating func batch(_ save: RecordedSave) throws(InputError) -> [Change] {
    for name in save.counts.keys.sorted() where places[name] == nil {
      let names = tables.map(\.entity.name)
      throw InputError(
        .file(file, line: save.line), field: SavesColumn.entity.rawValue,
        "unknown entity \(name.quoted).\(NearestName.hint(for: name, in: names))"
          + " Known: \(names.joined(separator: ", ").short)")
    }
    var batch: [Change] = []
    let changed = save.counts.compactMap { name, counts in
      places[name].map { (index: $0, name: name, counts: counts) }
    }
    for (index, name, counts) in changed.sorted(by: { $0.index < $1.index }) {
      guard counts.updates == 0 || tables[index].entity.attributes.count > 1 else {
        throw InputError(
          .file(file, line: save.line), field: SavesColumn.updated.rawValue,
          "\(name) has nothing to change but its key")
      }
      let scaled = tables[index].shares.take(counts)
      batch += try changes(scaled, of: index, line: save.line)
    }
    random.shuffle(&batch)
    return batch
  }

  private mutating func changes(
    _ counts: ChangeCounts, of index: Int, line: Int
  ) throws(InputError) -> [Change] {
    var counts = counts
    let present = tables[index].present.count
    if counts.updates + counts.deletes > present {
      guard percent < 100 else { throw tooFew(counts, present, index, line) }
      // Rounding may ask for one row too many. A later save makes that change.
      let asked = counts
      counts.deletes = min(counts.deletes, present)
      counts.updates = min(counts.updates, present - counts.deletes)
      tables[index].shares.giveBack(
        updates: asked.updates - counts.updates, deletes: asked.deletes - counts.deletes)
    }
    choose(counts.updates + counts.deletes, of: index)
    let deletes = (0..<counts.deletes).map { _ in delete(of: index) }
    let updates = tables[index].present.suffix(counts.updates).map { update($0, of: index) }
    return updates + deletes + (0..<counts.inserts).map { _ in insert(into: index) }
  }

  private mutating func choose(_ count: Int, of index: Int) {
    for chosen in 0..<count {
      let left = tables[index].present.count - chosen
      tables[index].present.swapAt(left - 1, random.next(below: left))
    }
  }

  private mutating func delete(of index: Int) -> Change {
    let number = tables[index].present.removeLast()
    tables[index].rows[number] = nil
    return .delete(key: tables[index].generator.key(number), of: index)
  }

  private mutating func insert(into index: Int) -> Change {
    let number = tables[index].rows.count
    let row = tables[index].generator.row(number)
    tables[index].rows.append(row)
    tables[index].present.append(number)
    return .insert(row, of: index)
  }

  private mutating func update(_ number: Int, of index: Int) -> Change {
    let key = tables[index].generator.key(number)
    guard let row = tables[index].rows[number] else { preconditionFailure("no row \(number)") }
    let changed = tables[index].generator.changed(row, number)
    tables[index].rows[number] = changed
    if index == 0 { touched.insert(key) }
    return .update(key: key, fields: row.changedFields(to: changed), of: index)
  }

  private func tooFew(
    _ counts: ChangeCounts, _ present: Int, _ index: Int, _ line: Int
  ) -> InputError {
    let name = tables[index].entity.name
    let field = index == 0 ? "generate.rows" : "others.\(name)"
    return InputError(
      .file(file, line: line),
      "updates \(counts.updates) and deletes \(counts.deletes) of \(name), of which there are"
        + " \(present); raise \(field)")
  }
}

/// Takes a share of counts that keeps their sum: half of 1, 1, 1, 1 is 1, 0, 1, 0.
private struct Shares {
  let percent: Double
  private var given = ChangeCounts()
  private var taken = ChangeCounts()

  init(percent: Double) { self.percent = percent }

  mutating func take(_ counts: ChangeCounts) -> ChangeCounts {
    ChangeCounts(
      inserts: take(counts.inserts, \.inserts), updates: take(counts.updates, \.updates),
      deletes: take(counts.deletes, \.deletes))
  }

  mutating func giveBack(updates: Int, deletes: Int) {
    taken.updates -= updates
    taken.deletes -= deletes
  }

  private mutating func take(_ count: Int, _ kind: WritableKeyPath<ChangeCounts, Int>) -> Int {
    given[keyPath: kind] += count
    let share = given[keyPath: kind].share(percent: percent)
    defer { taken[keyPath: kind] = share }
    return share - taken[keyPath: kind]
  }
}
