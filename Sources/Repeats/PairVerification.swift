import Baseline
import Foundation
import ObjectGraph
import Workload

extension StoreVerification {
  /// The first difference between the store's pairs of a many-to-many relationship and the expected
  /// ones; nil if there is none.
  static func difference(
    ofPairsIn store: URL, _ expectation: Expectation, _ cell: PreparedCell
  ) throws -> String? {
    guard !cell.scenario.pairs.isEmpty else { return nil }
    let reader = try PlainReader(store)
    let expected = cell.pairs(among: Expectation.tables(cell, edits: expectation.edits))
    for (ends, pairs) in expected {
      let found = try reader.pairs(ends, cell.model)
      let wanted = pairs.map { [$0.mine, $0.theirs] }
      let (lacking, extra) = (
        Set(wanted).subtracting(found).count, Set(found).subtracting(wanted).count
      )
      guard lacking + extra > 0 else { continue }
      let name = "\(cell.model.tables[ends.table].rows.name).\(ends.relationship)"
      return lacking > 0
        ? "the store lacks \(lacking) pair(s) of \(name)"
        : "the store holds \(extra) pair(s) of \(name) too many"
    }
    return nil
  }
}

extension PlainReader {
  /// The pairs by business keys. A pair of a row that is gone has the empty data as its key.
  fileprivate func pairs(_ ends: RowPairs, _ model: StoreModel) throws -> [[Value]] {
    let (mine, theirs) = (model.tables[ends.table], model.tables[ends.destination])
    let pairs = try pairs(
      of: ends.relationship, mine.entity, inverse: ends.inverse, theirs.entity)
    let keys = (try keys(of: mine), try keys(of: theirs))
    return pairs.map { [keys.0[$0.mine] ?? .data(.init()), keys.1[$0.theirs] ?? .data(.init())] }
  }

  private func keys(of table: StoreTable) throws -> [Int64: Value] {
    var keys: [Int64: Value] = [:]
    try forEachRow(of: table.entity) { keys[$0.key] = table.key(of: $0) }
    return keys
  }
}
