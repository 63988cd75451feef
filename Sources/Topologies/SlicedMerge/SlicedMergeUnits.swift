import ObjectGraph
import Queues

/// What happened to one object in a save.
struct SavedChange: Sendable {
  enum Kind: Sendable { case insert, update, delete }

  let id: ManagedObjectID
  let kind: Kind
}

/// A save on its way to main: what it changed, in units that arrive whole. Immutable.
///
/// Holds the save, and with it the saved objects' rows in the row cache.
final class SavedUnits: Sendable {
  /// A row of the list as this save left it.
  struct ListedRow: Sendable {
    let unit: Int
    let row: ContiguousArray<Value>
  }

  let save: DidSave
  /// The change that the save was work of, where a timeline is recorded.
  let change = Timeline.callersChange
  /// Inserted and updated rows of the list's entity.
  let rows: [ListedRow]
  private let changes: ContiguousArray<SavedChange>
  /// Where each unit begins in `changes`, and where the last one ends.
  private let starts: [Int]
  private let unitsByID: [ManagedObjectID: Int]
  private let unitsByDeletedKey: [RowName: Int]

  /// On the queue of the context that saved, in its did-save.
  init(_ save: DidSave, _ draft: SaveDraft, by rules: TyingRules) {
    let units = Self.units(of: save, draft)
    var byID: [ManagedObjectID: Int] = [:]
    byID.reserveCapacity(units.changes.count)
    for unit in units.starts.indices.dropLast() {
      for place in units.starts[unit]..<units.starts[unit + 1] {
        byID[units.changes[place].id] = unit
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

  /// The units that touch what another save is about to send: the same objects, or a row that gives
  /// up its key to a new one.
  func units(touchedBy draft: SaveDraft) -> Set<Int> {
    var units = Set(draft.objects.lazy.compactMap { self.unitsByID[$0.objectID] })
    if !unitsByDeletedKey.isEmpty {
      units.formUnion(draft.insertedKeys.lazy.compactMap { self.unitsByDeletedKey[$0] })
    }
    return units
  }

  /// The units that bring something to the rows that are shown, or take it away.
  func units(shownIn window: VisibleWindow) -> Set<Int> {
    Set(window.ids.lazy.compactMap { self.unitsByID[$0] })
      .union(rows.lazy.filter { window.shows($0.row) }.map(\.unit))
  }

  private static func units(
    of save: DidSave, _ draft: SaveDraft
  ) -> (changes: ContiguousArray<SavedChange>, starts: [Int]) {
    var changes: ContiguousArray<SavedChange> = []
    changes.reserveCapacity(save.inserted.count + save.updated.count + save.deleted.count)
    for id in save.inserted { changes.append(SavedChange(id: id, kind: .insert)) }
    for id in save.updated { changes.append(SavedChange(id: id, kind: .update)) }
    for id in save.deleted { changes.append(SavedChange(id: id, kind: .delete)) }
    guard draft.hasTies else { return (changes, Array(0...changes.count)) }
    return grouped(changes, by: draft.setsByID())
  }

  /// Tied changes behind each other. What the draft does not know (a merge policy brought it in)
  /// is a unit of its own.
  private static func grouped(
    _ changes: ContiguousArray<SavedChange>, by sets: [ManagedObjectID: Int]
  ) -> (changes: ContiguousArray<SavedChange>, starts: [Int]) {
    var places: [Int: Int] = [:]
    var units: [[SavedChange]] = []
    for change in changes {
      if let set = sets[change.id], let place = places[set] {
        units[place].append(change)
      } else {
        if let set = sets[change.id] { places[set] = units.count }
        units.append([change])
      }
    }
    var starts = [0]
    for unit in units { starts.append(starts[starts.count - 1] + unit.count) }
    return (ContiguousArray(units.joined()), starts)
  }
}

/// The rows that a frame showed last.
struct VisibleWindow: Sendable {
  let ids: [ManagedObjectID]
  /// Rows from here on are shown; nil if all from the list's beginning.
  let first: ContiguousArray<Value>?
  /// Rows up to here are shown; nil if all to the list's end.
  let last: ContiguousArray<Value>?
  let descriptors: [SortTerm]

  /// Whether a row would stand among those that are shown.
  func shows(_ row: ContiguousArray<Value>) -> Bool {
    if let first, descriptors.order(row, first) < 0 { return false }
    if let last, descriptors.order(last, row) < 0 { return false }
    return true
  }
}
