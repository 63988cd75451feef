import ObjectGraph
import Queues

struct SavedChange: Sendable {
  enum Kind: Sendable { case insert, update, delete }

  let id: ManagedObjectID
  let kind: Kind
}

/// A save on its way to main, in units that arrive whole. Retains the save's rows in the row cache.
final class SavedUnits: Sendable {
  /// A row after this save.
  struct ListedRow: Sendable {
    let unit: Int
    let row: ContiguousArray<Value>
  }

  let save: DidSave
  /// The save's change in the timeline.
  let change = Timeline.callersChange
  /// Inserted and updated rows of the list's entity.
  let rows: [ListedRow]
  private let changes: ContiguousArray<SavedChange>
  /// The start of each unit in `changes`, and the end of the last one.
  private let starts: [Int]
  private let unitsByID: [ManagedObjectID: Int]
  private let unitsByDeletedKey: [RowName: Int]

  /// Call it in the did-save, on the saving context's queue.
  init(_ save: DidSave, _ draft: SaveDraft, by rules: TyingRules) {
    let units = Self.units(of: save, draft)
    var byID: [ManagedObjectID: Int] = [:]
    byID.reserveCapacity(units.changes.count)
    for unit in units.starts.indices.dropLast() {
      for index in units.starts[unit]..<units.starts[unit + 1] {
        byID[units.changes[index].id] = unit
      }
    }
    self.save = save
    changes = units.changes
    starts = units.starts
    unitsByID = byID
    unitsByDeletedKey = draft.deletedKeys.compactMapValues { byID[draft.objects[$0].objectID] }
    let gone = Set(save.deleted)
    rows = draft.objects.compactMap { object in
      guard object.entity.isKind(of: rules.entity), !gone.contains(object.objectID),
        let unit = byID[object.objectID]
      else { return nil }
      return ListedRow(unit: unit, row: object.allValues)
    }
  }

  var count: Int { starts.count - 1 }

  func changes(of unit: Int) -> ArraySlice<SavedChange> {
    changes[starts[unit]..<starts[unit + 1]]
  }

  func size(of unit: Int) -> Int { starts[unit + 1] - starts[unit] }

  func unit(of id: ManagedObjectID) -> Int? { unitsByID[id] }

  /// The units that share an object with another save, or that delete a row whose key the other
  /// save inserts again.
  func units(touchedBy draft: SaveDraft) -> Set<Int> {
    var units = Set(draft.objects.lazy.compactMap { self.unitsByID[$0.objectID] })
    if !unitsByDeletedKey.isEmpty {
      units.formUnion(draft.insertedKeys.lazy.compactMap { self.unitsByDeletedKey[$0] })
    }
    return units
  }

  func units(shownIn window: VisibleWindow) -> Set<Int> {
    Set(window.ids.lazy.compactMap { self.unitsByID[$0] })
      .union(rows.lazy.filter { window.shows($0.row) }.map(\.unit))
  }

  private static func units(
    of save: DidSave, _ draft: SaveDraft
  ) -> (changes: ContiguousArray<SavedChange>, starts: [Int]) {
    var changes: ContiguousArray<SavedChange> = []
    changes.reserveCapacity(save.inserted.count + save.updated.count + save.deleted.count)
    changes += save.inserted.lazy.map { SavedChange(id: $0, kind: .insert) }
    changes += save.updated.lazy.map { SavedChange(id: $0, kind: .update) }
    changes += save.deleted.lazy.map { SavedChange(id: $0, kind: .delete) }
    guard draft.hasTies else { return (changes, Array(0...changes.count)) }
    return grouped(changes, by: draft.setsByID())
  }

  /// A change that the draft lacks, because a merge policy added it, is its own unit.
  private static func grouped(
    _ changes: ContiguousArray<SavedChange>, by sets: [ManagedObjectID: Int]
  ) -> (changes: ContiguousArray<SavedChange>, starts: [Int]) {
    var indexes: [Int: Int] = [:]
    var units: [[SavedChange]] = []
    for change in changes {
      if let set = sets[change.id], let index = indexes[set] {
        units[index].append(change)
      } else {
        if let set = sets[change.id] { indexes[set] = units.count }
        units.append([change])
      }
    }
    var starts = [0]
    for unit in units { starts.append(starts[starts.count - 1] + unit.count) }
    return (ContiguousArray(units.joined()), starts)
  }
}

/// The rows of the last frame.
struct VisibleWindow: Sendable {
  let ids: [ManagedObjectID]
  /// The first visible row; nil if the window begins with the list.
  let first: ContiguousArray<Value>?
  /// The last visible row; nil if the window ends with the list.
  let last: ContiguousArray<Value>?
  let terms: [SortTerm]

  func shows(_ row: ContiguousArray<Value>) -> Bool {
    if let first, terms.order(row, first) < 0 { return false }
    if let last, terms.order(last, row) < 0 { return false }
    return true
  }
}
