import Support

/// How many rows a scenario generates, deletes, updates and inserts.
package struct Generation: Sendable, Equatable {
  /// The number of rows before the window opens.
  package let rows: Int
  package let inserts: Int
  package let updates: Int
  package let deletes: Int
  package let seed: Int
  package let story: Story

  /// The numbers of the deleted and updated rows, in random order.
  func touchedNumbers() -> [Int] {
    var random = SplitMix64(seed: UInt64(seed), stream: .max)
    var numbers = Array(0..<rows)
    for place in 0..<(deletes + updates) {
      numbers.swapAt(place, place + random.next(below: numbers.count - place))
    }
    return Array(numbers.prefix(deletes + updates))
  }
}

extension Generation {
  /// Nil if the rows come from files.
  init?(_ fields: ResolvedFields, _ entity: RowDescription) throws(ScenarioError) {
    guard let rows = fields.integer("generate.rows") else { return nil }
    let percent = fields.number("generate.percent")
    self.rows = rows.taking(percent)
    inserts = (fields.integer("generate.inserts") ?? 0).taking(percent)
    updates = (fields.integer("generate.updates") ?? 0).taking(percent)
    deletes = (fields.integer("generate.deletes") ?? 0).taking(percent)
    seed = fields.integer("generate.seed") ?? 1
    story = fields.choice("generate.story")
    guard updates + deletes <= self.rows else {
      throw fields.error(
        "generate.updates",
        "\(updates) updates and \(deletes) deletes need as many rows; generate.rows is \(self.rows)"
      )
    }
    guard updates == 0 || entity.attributes.count > 1 else {
      throw fields.error("generate.updates", "\(entity.name) has nothing to change but its key")
    }
    guard fields.integer("data.rows") == nil else {
      throw fields.error("data.rows", "is for data files; generate.rows says how many there are")
    }
  }
}

extension Generation {
  /// The rows of an entity other than the list's.
  init(_ description: OtherRowsDescription, _ fields: ResolvedFields) throws(ScenarioError) {
    let percent = fields.number("generate.percent")
    rows = (description.counts["rows"] ?? 0).taking(percent)
    inserts = (description.counts["inserts"] ?? 0).taking(percent)
    updates = (description.counts["updates"] ?? 0).taking(percent)
    deletes = (description.counts["deletes"] ?? 0).taking(percent)
    seed = fields.integer("generate.seed") ?? 1
    story = .rows
    guard updates + deletes <= rows else {
      throw description.error(
        "updates", "\(updates) updates and \(deletes) deletes need as many rows; there are \(rows)")
    }
  }
}

extension Int {
  /// A percentage of the number, rounded up.
  fileprivate func taking(_ percent: Double) -> Int {
    percent == 100 ? self : Int((Double(self) * percent / 100).rounded(.up))
  }
}
