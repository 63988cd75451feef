// Temporary IDs that became permanent, in order. Each child adopts those after its last visit:
//
//   t₁▸p₁  t₂▸p₂  t₃▸p₃  t₄▸p₄      end = 4
//          ▲ child A: 1      ▲ child B: 4       IDs before the slowest child can be removed

struct PermanentIDLog {
  static let least = 1024

  private(set) var byTemporaryID: [ManagedObjectID: ManagedObjectID] = [:]
  private var order: ContiguousArray<ManagedObjectID> = []
  private var start = 0
  /// IDs before `start` that are still in use.
  private var kept: ContiguousArray<ManagedObjectID> = []
  private var longEnough = least

  var end: Int { start + order.count }
  var isEmpty: Bool { byTemporaryID.isEmpty }
  var isLong: Bool { kept.count + order.count >= longEnough }

  subscript(temporary: ManagedObjectID) -> ManagedObjectID? {
    byTemporaryID.isEmpty ? nil : byTemporaryID[temporary]
  }

  mutating func reserve(_ additional: Int) {
    byTemporaryID.reserveCapacity(byTemporaryID.count + additional)
  }

  mutating func append(_ temporary: ManagedObjectID, _ id: ManagedObjectID) {
    byTemporaryID[temporary] = id
    order.append(temporary)
  }

  /// The IDs after the first `count`.
  func since(_ count: Int) -> [(ManagedObjectID, ManagedObjectID)] {
    order.suffix(end - max(count, start)).compactMap { old in byTemporaryID[old].map { (old, $0) } }
  }

  /// Removes the first `count` IDs, which every child has adopted, except those in use.
  ///
  /// The time grows with the remaining IDs, so the next call waits until their number has doubled.
  mutating func trim(first count: Int, except isUsed: (ManagedObjectID) -> Bool) {
    let passedCount = max(0, count - start)
    let passed = kept + order.prefix(passedCount)
    kept = passed.filter { byTemporaryID[$0].map(isUsed) ?? false }
    if kept.count < passed.count {
      let isKept = Set(kept)
      for old in passed where !isKept.contains(old) { byTemporaryID[old] = nil }
    }
    order.removeFirst(passedCount)
    start += passedCount
    longEnough = max(Self.least, 2 * (kept.count + order.count))
  }
}
