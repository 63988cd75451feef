import Measurement

/// Service gaps as runs of columns of one colour.
struct Strip {
  /// For each use that occurs, the outline of its pieces, 20 high.
  let paths: [MainUse: String]

  /// - Parameter upper: the instant at the right edge, in ms.
  init(_ gaps: [GapSample], columns: Int, upper: Double) {
    let width = upper / Double(columns)
    var owners = [(use: MainUse, time: Double)?](repeating: nil, count: columns)
    for gap in gaps where gap.duration > 0 && gap.start < upper {
      let use = MainUse(cause: gap.cause)
      let first = Self.column(gap.start / width, of: columns)
      // A gap that ends where a column begins is not in it.
      let last = Self.column((gap.start + gap.duration) / width - 1e-9, of: columns)
      for column in first...max(first, last) {
        let edges = (Double(column) * width, Double(column + 1) * width)
        let time = min(gap.start + gap.duration, edges.1) - max(gap.start, edges.0)
        if time > owners[column]?.time ?? 0 { owners[column] = (use, time) }
      }
    }
    paths = Self.paths(owners.map { $0?.use })
  }

  private static func column(_ place: Double, of columns: Int) -> Int {
    Int(min(Double(columns - 1), max(0, place)))
  }

  private static func paths(_ uses: [MainUse?]) -> [MainUse: String] {
    var paths: [MainUse: String] = [:]
    var start = 0
    while start < uses.count {
      let end = uses[start...].firstIndex { $0 != uses[start] } ?? uses.count
      if let use = uses[start] { paths[use, default: ""] += "M\(start) 0h\(end - start)v20H\(start)z" }
      start = end
    }
    return paths
  }
}
