import DataModel

package struct ChangeCounts: Hashable, Sendable {
  package var inserts = 0
  package var updates = 0
  package var deletes = 0

  package var total: Int { inserts + updates + deletes }
}

extension ChangeCounts {
  /// - Precondition: the changes are effects.
  init(_ changes: some Sequence<Change>) {
    for change in changes {
      switch change.kind {
      case .insert: inserts += 1
      case .update(_, let fields): updates += fields.isEmpty ? 0 : 1
      case .delete: deletes += 1
      case .upsert, .deleteWhere: preconditionFailure("arriving rows are counted by their effects")
      }
    }
  }
}

extension [Change] {
  /// At most `size` changes each; nil for a single batch.
  func batches(of size: Int?) -> [[Change]] {
    guard !isEmpty else { return [] }
    let size = size ?? count
    return stride(from: 0, to: count, by: size).map {
      Array(self[$0..<Swift.min($0 + size, count)])
    }
  }
}

extension [Change] {
  /// The same outcome by one change for each row, as a context saves it: a row that comes and goes
  /// is not written.
  ///
  /// - Precondition: plain inserts, updates and deletes. No row is inserted after its deletion.
  func joined(byKeys keyIndexes: [Int]) -> [Change] {
    var joined: [Change?] = []
    var indexes: [Int: [Value: Int]] = [:]
    for change in self {
      guard let key = change.key(at: keyIndexes[change.entity]) else { continue }
      guard let index = indexes[change.entity]?[key], let earlier = joined[index] else {
        indexes[change.entity, default: [:]][key] = joined.count
        joined.append(change)
        continue
      }
      joined[index] = earlier.followed(by: change)
    }
    return joined.compactMap(\.self)
  }
}

extension Change {
  /// Nil if the row is as if neither had happened.
  fileprivate func followed(by later: Change) -> Change? {
    switch (kind, later.kind) {
    case (.insert, .delete): return nil
    case (.insert(var row), .update(_, let fields)):
      for field in fields { row[field.index] = field.value }
      return .insert(row, of: entity)
    case (.update(let key, let fields), .update(_, let laterFields)):
      let kept = fields.filter { field in !laterFields.contains { $0.index == field.index } }
      return .update(key: key, fields: kept + laterFields, of: entity)
    default: return later
    }
  }
}

extension TableRows {
  /// Updates and deletes in the old rows' order, then inserts in the new rows' order.
  func differences(of index: Int) -> [Change] {
    var changes: [Change] = []
    var (old, new) = (DataSet.Search(before), DataSet.Search(after))
    for row in before.rows {
      let key = row[entity.keyIndex]
      guard let target = new.row(with: key) else {
        changes.append(.delete(key: key, of: index))
        continue
      }
      let fields = row.changedFields(to: target)
      if !fields.isEmpty { changes.append(.update(key: key, fields: fields, of: index)) }
    }
    for row in after.rows where old.row(with: row[entity.keyIndex]) == nil {
      changes.append(.insert(row, of: index))
    }
    return changes
  }
}

extension Row {
  func changedFields(to target: Row) -> [FieldChange] {
    indices.filter { self[$0] != target[$0] }.map { FieldChange(index: $0, value: target[$0]) }
  }
}

/// When the saves of a stream are due, on a grid that a late save does not move.
///
/// Without a span, save *n* is due at *n* / rate. With one, the saves due in it are joined into
/// one, due at its end:
///
///     arrive   0   10   20   30   40   50        100 saves/s, joined in spans of 25 ms
///     due                25        50        75
///     holds            0 1 2      3 4        5
package struct SavePace: Sendable, Equatable {
  /// Saves per second; 0 if each follows the last at once.
  package var perSecond = 0.0
  /// Zero to join none.
  package var span = Duration.zero

  /// Seconds beyond every horizon. Later times may not fit into a `Duration`.
  private static let latest = 100_000.0

  /// Without a rate, no save has a due time.
  func paced<Batch>(
    _ batches: [Batch], join: (inout Batch, Batch) -> Void
  ) -> (batches: [Batch], due: [Duration]) {
    guard perSecond > 0 else { return (batches, []) }
    var joined: [Batch] = []
    var due: [Duration] = []
    for (index, batch) in batches.enumerated() {
      let time = time(ofSave: index)
      if span > .zero, due.last == time {
        join(&joined[joined.count - 1], batch)
      } else {
        joined.append(batch)
        due.append(time)
      }
    }
    return (joined, due)
  }

  /// When the last of so many saves is due; zero without a rate or a save.
  func lastDue(of saves: Int) -> Duration {
    perSecond > 0 && saves > 0 ? time(ofSave: saves - 1) : .zero
  }

  /// - Parameter index: of the save, before any are joined.
  private func time(ofSave index: Int) -> Duration {
    let arrival = Duration.seconds(min(Double(index) / perSecond, Self.latest))
    return span > .zero ? span * (Int(arrival / span) + 1) : arrival
  }
}
