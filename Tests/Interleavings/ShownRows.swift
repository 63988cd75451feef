import DataModel
import ObjectGraph
import Queues
import Topologies

/// The list as a screen sees it: it learns of changes, and reads rows. On the main queue only.
// @unchecked: only the main queue uses it.
final class ShownRows: @unchecked Sendable {
  private let checks: Checks
  private let isAhead: Bool
  private var list: (any ListOnMain)?
  /// The keys, as the changes tell them.
  private var keys: [Value] = []
  private var insertions: Set<ManagedObjectID> = []
  private var updates: [ManagedObjectID: Int] = [:]
  /// How many saves update each row, by its key, which is its primary key too.
  private var saves: [Int64: Int] = [:]
  private(set) var rows: [ContiguousArray<Value>] = []
  private var last: [Value: ContiguousArray<Value>] = [:]

  /// - Parameter isAhead: whether rows may change before the list says so.
  init(_ checks: Checks, isAhead: Bool) {
    self.checks = checks
    self.isAhead = isAhead
  }

  func watch(_ list: any ListOnMain, saving batches: [[Change]]) {
    self.list = list
    for batch in batches {
      for key in Set(batch.compactMap(Self.updatedKey)) { saves[key, default: 0] += 1 }
    }
    read()
    keys = rows.map { $0[0] }
  }

  private static func updatedKey(_ change: Change) -> Int64? {
    if case .update(.int64(let key), _) = change.kind { key } else { nil }
  }

  func stop() { list = nil }

  /// A value never returns to an older one.
  func read() {
    guard let list else { return }
    rows = (0..<list.count).map { list.row(at: $0) }
    for row in rows where !row.isEmpty {
      let old = last.updateValue(row, forKey: row[0])
      guard let old, old != row else { continue }
      for column in row.indices where row[column] != old[column] {
        if SmallStore.rows.contains(where: { $0[0] == row[0] && $0[column] == row[column] }) {
          checks.fail("row \(row[0]) showed \(old[column]), then \(row[column]) again")
        }
      }
    }
  }

  func listDidChange(_ event: ListEvent) {
    guard let list, !isAhead else { return }
    let new = (0..<list.count).map { list.row(at: $0).first ?? .null }
    if case .changes(let changes) = event {
      replay(changes, new)
      checks.expect("the list after its changes", keys, new)
    }
    keys = new
  }

  private func replay(_ changes: ListChanges, _ new: [Value]) {
    for index in (changes.deletions + changes.moves.map(\.from)).sorted(by: >) {
      guard keys.indices.contains(index) else { return checks.fail("no row \(index) to delete") }
      keys.remove(at: index)
    }
    for index in (changes.insertions + changes.moves.map(\.to)).sorted() {
      guard index <= keys.count, index < new.count else {
        return checks.fail("no place \(index) to insert")
      }
      keys.insert(new[index], at: index)
    }
  }

  func mainDidMerge(_ merge: DidMergeChanges) {
    for id in merge.inserted where !insertions.insert(id).inserted {
      checks.fail("the insertion of \(id) was merged twice")
    }
    for id in merge.refreshed {
      updates[id, default: 0] += 1
      let (count, saved) = (updates[id, default: 0], saves[id.number, default: 0])
      if count > saved { checks.fail("\(saved) updates of \(id) were merged \(count) times") }
    }
  }
}
