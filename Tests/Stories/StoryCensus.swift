/// Stories test only what happens in them.
final class StoryCensus {
  private(set) var counts: [String: Int] = [:]

  func count(_ step: Step, _ rarities: Set<String>) {
    for what in rarities.union([step.action.kind]) { counts[what, default: 0] += 1 }
  }

  func add(_ other: [String: Int]) { counts.merge(other, uniquingKeysWith: +) }

  /// Empty below 1,000 stories. The rarest event, an undo of what another context changed, happens
  /// nine times in 10,000.
  func gaps(stories: Int) -> [String] {
    guard stories >= 1000 else { return [] }
    let least = max(1, stories / 4000)
    let rare = Self.expected.filter { counts[$0, default: 0] < least }
    return rare.map {
      "'\($0)' happened \(counts[$0, default: 0]) times; at least \(least) are expected"
    }
      + Set(counts.keys).subtracting(Self.expected).sorted().map {
        "'\($0)' is missing in the list of StoryCensus"
      }
  }

  private static let expected = [
    "insert", "set", "relate", "add", "remove", "delete", "read", "readMembers", "take", "fetch",
    "count", "process pending changes", "save", "obtainPermanentIDs", "merge", "refresh",
    "refresh all objects", "undo", "redo", "undo or redo", "undo without a manager", "roll back",
    "reset", "let go of all objects", "change of what is deleted",
    "save of what is related to a deleted object", "automatic merge", "relation to what is gone",
    "undo of what another context changed", "merged deletion of a row that is back",
    "deleteRows", "edit of two lists", "to-one merged under a pending one",
    "one-to-one merged under a pending one", "relation merged under a pending one of a child",
    "member that a redone deletion takes",
    "deleted member, not registered", "deleted member, a fault", "deleted member, realised",
    "conflict settled by store-trump", "conflict settled by object-trump",
    "conflict settled by overwrite", "conflict settled by rollback",
  ]
}

extension StoryCensus: CustomStringConvertible {
  var description: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
