// The temporary IDs of a context that became permanent, in the order in which they did, so that each
// child takes over what is new since it last looked:
//
//   t₁▸p₁  t₂▸p₂  t₃▸p₃  t₄▸p₄      end = 4
//          ▲ child A: 1      ▲ child B: 4       what is before the slowest child may be forgotten

/// Permanent IDs by the temporary ones that children, or those who kept one, may still use.
struct SettledIDs {
  private struct Follower {
    weak var context: ManagedObjectContext?
  }

  /// How many there must be before any are forgotten.
  static let least = 1024

  private(set) var permanent: [ManagedObjectID: ManagedObjectID] = [:]
  private var order: ContiguousArray<ManagedObjectID> = []
  /// How many were forgotten.
  private var start = 0
  /// Of those, the ones that were in use.
  private var kept: ContiguousArray<ManagedObjectID> = []
  private var longEnough = least
  private var followers: [Follower] = []

  /// How many IDs ever became permanent.
  var end: Int { start + order.count }
  var isEmpty: Bool { permanent.isEmpty }
  var isLong: Bool { kept.count + order.count >= longEnough }

  subscript(temporary: ManagedObjectID) -> ManagedObjectID? {
    permanent.isEmpty ? nil : permanent[temporary]
  }

  mutating func reserve(_ additional: Int) {
    permanent.reserveCapacity(permanent.count + additional)
  }

  mutating func append(_ temporary: ManagedObjectID, _ id: ManagedObjectID) {
    permanent[temporary] = id
    order.append(temporary)
  }

  /// Those that became permanent since there were that many.
  func since(_ count: Int) -> [(ManagedObjectID, ManagedObjectID)] {
    order.suffix(end - max(count, start)).compactMap { old in permanent[old].map { (old, $0) } }
  }

  mutating func addFollower(_ context: ManagedObjectContext) {
    followers.removeAll { $0.context == nil || $0.context === context }
    followers.append(Follower(context: context))
  }

  /// Forgets what every follower has taken over, but for what is in use.
  ///
  /// Takes time that grows with what is kept, and so waits until there is twice as much.
  mutating func trim(_ isUsed: (ManagedObjectID) -> Bool) {
    let behind = followers.compactMap(\.context).filter(\.sharesTemporaryIDs)
    let followed = behind.map(\.idsFollowed).min() ?? end
    let place = max(0, followed - start)
    let passed = kept + order.prefix(place)
    kept = passed.filter { permanent[$0].map(isUsed) ?? false }
    if kept.count < passed.count {
      let isKept = Set(kept)
      for old in passed where !isKept.contains(old) { permanent[old] = nil }
    }
    order.removeFirst(place)
    start += place
    longEnough = max(Self.least, 2 * (kept.count + order.count))
  }
}
