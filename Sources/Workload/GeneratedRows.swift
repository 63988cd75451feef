/// How many rows a scenario generates, and what becomes of them.
package struct Generation: Sendable, Equatable {
  /// Before the window opens.
  package let rows: Int
  package let inserts: Int
  package let updates: Int
  package let deletes: Int
  package let seed: Int

  /// The rows before and after: those numbered from 0 on, of which some are deleted and some of the
  /// others changed in one attribute, both drawn by the seed; new ones follow.
  func dataSets(_ entity: Entity) -> (before: DataSet, after: DataSet) {
    let generator = RowGenerator(entity, seed: UInt64(seed))
    let before = (0..<rows).map(generator.row)
    let touched = touchedNumbers()
    let deleted = Set(touched.prefix(deletes))
    var after = before
    for number in touched.dropFirst(deletes) {
      after[number] = generator.changed(before[number], number)
    }
    after = after.indices.filter { !deleted.contains($0) }.map { after[$0] }
    after += (rows..<rows + inserts).map(generator.row)
    return (
      DataSet(rows: before, keyIndex: entity.keyIndex),
      DataSet(rows: after, keyIndex: entity.keyIndex)
    )
  }

  /// The numbers of the rows that are deleted or updated, in a drawn order.
  private func touchedNumbers() -> [Int] {
    var random = SplitMix64(seed: UInt64(seed), stream: .max)
    var numbers = Array(0..<rows)
    for place in 0..<(deletes + updates) {
      numbers.swapAt(place, place + random.next(below: numbers.count - place))
    }
    return Array(numbers.prefix(deletes + updates))
  }
}

extension Generation {
  /// Nil where the rows come from files.
  init?(_ fields: ResolvedFields, _ entity: Entity) throws(ScenarioError) {
    guard let rows = fields.integer("generate.rows") else { return nil }
    self.rows = rows
    inserts = fields.integer("generate.inserts") ?? 0
    updates = fields.integer("generate.updates") ?? 0
    deletes = fields.integer("generate.deletes") ?? 0
    seed = fields.integer("generate.seed") ?? 1
    guard updates + deletes <= rows else {
      throw fields.error(
        "generate.updates",
        "\(updates) updates and \(deletes) deletes need as many rows; generate.rows is \(rows)")
    }
    guard updates == 0 || entity.attributes.count > 1 else {
      throw fields.error("generate.updates", "\(entity.name) has nothing to change but its key")
    }
    guard fields.integer("data.rows") == nil else {
      throw fields.error("data.rows", "is for data files; generate.rows says how many there are")
    }
  }
}
