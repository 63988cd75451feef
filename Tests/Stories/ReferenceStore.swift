// The reference: the required behaviour of a store and its contexts, in plain collections. A level
// is a store or a context; each shows rows to the one above it.
//
//   context 2   base + edits of its objects ──┐ row, members, find
//   context 1   base + edits of its objects ◀─┘──┐
//   store       rows and pairs                 ◀─┘

struct ReferenceRow: Equatable {
  let kind: Kind
  /// A missing entry is null.
  var values: [Property: Int] = [:]
  var version = 0

  var sinceInsertion: ReferenceRow {
    var row = self
    row.version %= ReferenceStore.versions
    return row
  }
}

protocol ReferenceLevel: AnyObject {
  func row(_ n: Int) -> ReferenceRow?
  func members(_ n: Int, _ relation: Relation) -> Set<Int>
  /// In order if the query has one; with rows if known.
  func find(_ query: Query) -> [(n: Int, row: ReferenceRow?)]
}

final class ReferenceStore: ReferenceLevel {
  struct Pair: Hashable {
    let item: Int
    let tag: Int

    init(_ n: Int, _ relation: Relation, _ m: Int) {
      (item, tag) = relation == .tags ? (n, m) : (m, n)
    }
  }

  /// More than the versions of a row before it is deleted and inserted again.
  static let versions = 1 << 32

  private(set) var rows: [Int: ReferenceRow] = [:]
  private var insertions: [Int: Int] = [:]
  /// How often deleted rows came back, here or in a context.
  var returns = 0
  private(set) var pairs: Set<Pair> = []
  var neverConflicts = false

  func row(_ n: Int) -> ReferenceRow? { rows[n] }

  func members(_ n: Int, _ relation: Relation) -> Set<Int> {
    switch relation.inverse {
    case .one(let link): Set(rows.filter { $0.value.values[link] == n }.keys)
    case .many:
      Set(
        pairs.filter { relation == .tags ? $0.item == n : $0.tag == n }
          .map { relation == .tags ? $0.tag : $0.item })
    }
  }

  func find(_ query: Query) -> [(n: Int, row: ReferenceRow?)] {
    let found = rows.filter { query.matches($0.value) }.map { (n: $0.key, row: $0.value) }
    return Array(found.sorted(by: query.precedes).prefix(query.most))
  }

  /// Writes everything or nothing.
  ///
  /// - Parameter partners: unwritten objects that must not have changed.
  /// - Returns: the conflicts.
  func write(
    _ changed: [ReferenceObject], checking partners: [ReferenceObject], unsaved: Set<Int>
  ) -> Set<Int> {
    // An object of a child that was never stored has version 0 and no row.
    let outdated = partners.filter {
      !neverConflicts && rows[$0.n]?.version ?? 0 != $0.base?.version ?? 0
    }
    let conflicts = changed.filter { object in
      !neverConflicts && object.isWritten
        && (object.change == .inserted
          ? rows[object.n] != nil : rows[object.n]?.version != object.base?.version)
    }
    // A new relation needs a row at its other end.
    let written = changed.filter { $0.isWritten && $0.change != .deleted }
    let missing = Set(written.flatMap(\.savedTargets)).filter {
      !neverConflicts && rows[$0] == nil && !unsaved.contains($0)
    }.subtracting(written.map(\.n))
    guard conflicts.isEmpty && missing.isEmpty && outdated.isEmpty else {
      return missing.union((conflicts + outdated).map(\.n))
    }
    // A row cannot refer to an object that gets no row.
    let known = Set(changed.filter { $0.change == .inserted }.map(\.n))
    let unknown = changed.filter { $0.isWritten && $0.change != .deleted }
      .flatMap(\.targets).filter { unsaved.contains($0) && !known.contains($0) }
    guard unknown.isEmpty else { return Set(unknown) }
    for object in changed where object.isWritten { write(object) }
    for object in changed where object.change != .deleted { writePairs(object) }
    for object in changed where object.change == .deleted { clearPartnerKeys(to: object.n) }
    return []
  }

  /// A batch request gives rows that it clears a new version for each cleared column.
  func delete(_ numbers: [Int]) {
    for n in numbers {
      guard rows.removeValue(forKey: n) != nil else { continue }
      pairs = pairs.filter { $0.item != n && $0.tag != n }
    }
    for (m, row) in rows {
      for (link, n) in row.values where link.destination != nil && numbers.contains(n) {
        rows[m]?.values[link] = nil
        rows[m]?.version += 1
      }
    }
  }

  /// Half of a one-to-one relation may be stored, if a refresh discarded the other half.
  private func clearPartnerKeys(to n: Int) {
    for (m, row) in rows {
      for link in [Property.leader, .leads] where row.values[link] == n {
        rows[m]?.values[link] = nil
        rows[m]?.version += 1
      }
    }
  }

  private func write(_ object: ReferenceObject) {
    if object.change == .deleted {
      rows[object.n] = nil
      pairs = pairs.filter { $0.item != object.n && $0.tag != object.n }
    } else {
      // Unedited values stay the store's, which may differ from those read.
      var row = object.change == .inserted ? object.view : rows[object.n] ?? object.view
      if object.change == .inserted {
        if object.hasLostRow { returns += 1 }
        row.version = insertions[object.n, default: 0] * Self.versions
        insertions[object.n, default: 0] += 1
      }
      for (property, value) in object.changedValues { row.values[property] = value }
      row.version += 1
      rows[object.n] = row
    }
  }

  private func writePairs(_ object: ReferenceObject) {
    for (relation, members) in object.members {
      guard case .many = relation.inverse else { continue }
      for (m, isMember) in members.edits {
        let pair = Pair(object.n, relation, m)
        if isMember { pairs.insert(pair) } else { pairs.remove(pair) }
      }
    }
  }
}

extension Query {
  func matches(_ row: ReferenceRow) -> Bool {
    guard row.kind == kind else { return false }
    switch test {
    case .equal(let property, let value): return row.values[property] == value
    case .less(let property, let value): return row.values[property].map { $0 < value } ?? false
    case nil: return true
    }
  }

  /// By number if the query has no order.
  func precedes(_ x: (n: Int, row: ReferenceRow?), _ y: (n: Int, row: ReferenceRow?)) -> Bool {
    let (a, b) = (x.row?.values[.a] ?? .min, y.row?.values[.a] ?? .min)
    guard let ascending, a != b else { return x.n < y.n }
    return ascending ? a < b : a > b
  }
}
