import DequeModule
import ObjectGraph

// The units that wait for main, and their order:
//
//   urgent    ▢▢          a save that changes the same objects again waits for them
//   visible   ▢▢▢▢        they change rows on screen
//   others    save 7 ▢▢▢▢▢▢▢▢▢   save 8 ▢▢▢▢▢▢▢▢▢   in the order of the saves
//
// No two pending units touch the same object, because a save waits for pending objects before it
// writes. So units may arrive in any order.

/// Decides which units main merges next.
struct SliceLine: Sendable {
  struct Reference: Hashable, Comparable, Sendable {
    let save: Int
    let unit: Int

    static func < (a: Reference, b: Reference) -> Bool { (a.save, a.unit) < (b.save, b.unit) }
  }

  enum Lane: Int, Sendable { case urgent, visible }

  private enum Stage: UInt8, Sendable { case waiting, arriving, arrived }

  private struct Pending: Sendable {
    let units: SavedUnits
    var stages: ContiguousArray<Stage>
    /// Units that have not arrived.
    var left: Int
    /// All units before this one have been taken.
    var next = 0
  }

  private var pending: [Int: Pending] = [:]
  /// The numbers of saves with waiting units, oldest first.
  private var order = Deque<Int>()
  /// Promoted units, by lane.
  private var lanes = [Deque<Reference>(), Deque<Reference>()]
  private var lastNumber = 0
  private(set) var waiting = 0

  var isEmpty: Bool { pending.isEmpty }

  /// Saves that have not arrived completely, by number.
  var saves: [Int: SavedUnits] { pending.mapValues(\.units) }

  /// - Returns: the save's number; nil if it changed nothing.
  @discardableResult
  mutating func add(_ units: SavedUnits) -> Int? {
    guard units.count > 0 else { return nil }
    lastNumber += 1
    pending[lastNumber] = Pending(
      units: units, stages: ContiguousArray(repeating: .waiting, count: units.count),
      left: units.count)
    order.append(lastNumber)
    waiting += units.count
    return lastNumber
  }

  /// Adds these units to a lane in the order of their saves, because a set's order differs from
  /// process to process.
  mutating func promote(_ references: some Sequence<Reference>, to lane: Lane) {
    for reference in references.sorted() where isWaiting(reference) {
      lanes[lane.rawValue].append(reference)
    }
  }

  func hasArrived(_ reference: Reference) -> Bool {
    guard let save = pending[reference.save] else { return true }
    return save.stages[reference.unit] == .arrived
  }

  private func isWaiting(_ reference: Reference) -> Bool {
    pending[reference.save]?.stages[reference.unit] == .waiting
  }

  /// The units that contain these objects and have not been merged.
  func references(to ids: some Sequence<ManagedObjectID>) -> Set<Reference> {
    var references: Set<Reference> = []
    guard waiting > 0 else { return references }
    for id in ids {
      for (number, save) in pending {
        guard let unit = save.units.unit(of: id), save.stages[unit] == .waiting else { continue }
        references.insert(Reference(save: number, unit: unit))
      }
    }
    return references
  }
}

// MARK: - Slices

extension SliceLine {
  struct Slice: Sendable {
    fileprivate(set) var references: [Reference] = []
    fileprivate(set) var changes = ChangedObjectIDs()
    fileprivate(set) var count = 0

    var isEmpty: Bool { references.isEmpty }
    var isOneUnit: Bool { references.count == 1 }
  }

  /// The next units with at most `limit` objects in total, or one larger unit.
  mutating func take(atMost limit: Int) -> Slice {
    var slice = Slice()
    while let next = nextUnit() {
      guard add(next, to: &slice, atMost: limit) else { break }
    }
    return slice
  }

  mutating func take(_ references: Set<Reference>) -> Slice {
    var slice = Slice()
    for reference in references.sorted() where isWaiting(reference) {
      _ = add(reference, to: &slice, atMost: .max)
    }
    return slice
  }

  private mutating func add(
    _ reference: Reference, to slice: inout Slice, atMost limit: Int
  ) -> Bool {
    guard let units = pending[reference.save]?.units else { return false }
    let size = units.size(of: reference.unit)
    guard slice.isEmpty || slice.count + size <= limit else { return false }
    for change in units.changes(of: reference.unit) {
      switch change.kind {
      case .insert: slice.changes.inserted.append(change.id)
      case .update: slice.changes.updated.append(change.id)
      case .delete: slice.changes.deleted.append(change.id)
      }
    }
    slice.references.append(reference)
    slice.count += size
    pending[reference.save]?.stages[reference.unit] = .arriving
    waiting -= 1
    return true
  }

  private mutating func nextUnit() -> Reference? {
    for lane in lanes.indices {
      while let reference = lanes[lane].first {
        if isWaiting(reference) { return reference }
        lanes[lane].removeFirst()
      }
    }
    while let number = order.first {
      if let unit = nextUnit(of: number) { return Reference(save: number, unit: unit) }
      order.removeFirst()
    }
    return nil
  }

  private mutating func nextUnit(of number: Int) -> Int? {
    guard let save = pending[number] else { return nil }
    let next = save.stages[save.next...].firstIndex(of: .waiting)
    pending[number]?.next = next ?? save.stages.count
    return next
  }

  /// - Returns: the saves that arrived completely with this slice.
  mutating func arrived(_ slice: Slice) -> [SavedUnits] {
    var finished: [SavedUnits] = []
    for reference in slice.references {
      guard let index = pending.index(forKey: reference.save) else { continue }
      pending.values[index].stages[reference.unit] = .arrived
      pending.values[index].left -= 1
      if pending.values[index].left == 0 { finished.append(pending.remove(at: index).value.units) }
    }
    return finished
  }
}
