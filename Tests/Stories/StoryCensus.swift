/// How often each kind of step was taken, and each rarity happened: stories that never do a thing prove
/// nothing about it.
final class StoryCensus {
  private(set) var counts: [String: Int] = [:]

  func count(_ step: Step, _ rarities: Set<String>) {
    for what in rarities.union([step.action.kind]) { counts[what, default: 0] += 1 }
  }

  func add(_ other: [String: Int]) { counts.merge(other, uniquingKeysWith: +) }
}

extension StoryCensus: CustomStringConvertible {
  var description: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
