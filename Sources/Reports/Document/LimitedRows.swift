import Judging

extension Document {
  /// Keeps the `most` important rows of those that have an importance. A sentence counts the
  /// others. Sections that lose all rows disappear.
  func limited(to most: Int) -> Document {
    let all = blocks.flatMap(\.importances)
    guard all.count > most else { return self }
    let order = all.indices.sorted { (all[$0].grade, $0) < (all[$1].grade, $1) }
    var limit = RowLimit(kept: Set(order.prefix(most)))
    var limited = blocks.compactMap { limit.block($0) }
    let end = limited.lastIndex(where: \.hasTable).map { $0 + 1 } ?? 0
    limited.insert(.paragraph(Self.notShown(order.dropFirst(most).map { all[$0] })), at: end)
    return Document(title: title, blocks: limited)
  }

  /// `Not shown: 12 more rows (3 fail, 9 pass); --format json has all.`
  private static func notShown(_ left: [Table.Importance]) -> String {
    let counts = left.grouped(by: \.word)
      .map { "\(Figures.whole($0.elements.count)) \($0.key)" }
    return "Not shown: \(Figures.counted(left.count, "more row")) "
      + "(\(counts.joined(separator: ", "))); --format json has all."
  }
}

private struct RowLimit {
  let kept: Set<Int>
  var index = 0

  mutating func block(_ block: Document.Block) -> Document.Block? {
    switch block {
    case .table(var table):
      let isEmpty = table.rows.isEmpty
      table.rows = table.rows.filter { isKept($0) }
      return isEmpty || !table.rows.isEmpty ? .table(table) : nil
    case .section(let heading, let blocks, let place):
      let limited = blocks.compactMap { self.block($0) }
      return limited.count == blocks.count ? .section(heading, limited, place) : nil
    default: return block
    }
  }

  private mutating func isKept(_ row: Table.Row) -> Bool {
    guard row.importance != nil else { return true }
    defer { index += 1 }
    return kept.contains(index)
  }
}

extension Document.Block {
  fileprivate var importances: [Table.Importance] {
    switch self {
    case .table(let table): table.rows.compactMap(\.importance)
    case .section(_, let blocks, _): blocks.flatMap(\.importances)
    default: []
    }
  }

  fileprivate var hasTable: Bool {
    switch self {
    case .table: true
    case .section(_, let blocks, _): blocks.contains(where: \.hasTable)
    default: false
    }
  }
}
