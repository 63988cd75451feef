import Judging

/// The rows that Markdown has room for, over all its tables. A step summary of GitHub holds 1 MiB, and
/// nobody reads 500 rows: so the gravest are kept, each where it stood, and the others are counted.
struct KeptRows<Row> {
  /// Of 200 bytes or so each, a fiftieth of what GitHub takes.
  static var most: Int { 100 }

  /// Table by table, as they were given.
  let tables: [[Row]]
  /// The gravest first.
  let left: [Row]

  /// - Parameters:
  ///   - most: how many are kept of all tables together.
  ///   - gravity: the smaller, the graver. Of equal ones the first are kept.
  init(_ tables: [[Row]], most: Int = KeptRows.most, gravity: (Row) -> Int) {
    let rows = tables.flatMap { $0 }
    let gravities = rows.map(gravity)
    let order = rows.indices.sorted { (gravities[$0], $0) < (gravities[$1], $1) }
    let kept = Set(order.prefix(most))
    var end = 0
    self.tables = tables.map { table in
      let start = end
      end += table.count
      return (start..<end).filter(kept.contains).map { rows[$0] }
    }
    left = order.dropFirst(most).map { rows[$0] }
  }

  /// `Not shown: 12 more rows (3 fail, 9 pass); --format json has all.` Nil where all are shown.
  func notShown(_ word: (Row) -> String, others formats: String) -> String? {
    guard !left.isEmpty else { return nil }
    var counts: [(word: String, rows: Int)] = []
    for word in left.map(word) {
      let place = counts.firstIndex { $0.word == word }
      if place == nil { counts.append((word, 0)) }
      counts[place ?? counts.count - 1].rows += 1
    }
    let words = counts.map { "\(Figures.whole($0.rows)) \($0.word)" }.joined(separator: ", ")
    return "Not shown: \(Sentences.counted(left.count, "more row")) (\(words)); \(formats)."
  }
}
