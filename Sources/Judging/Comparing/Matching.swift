package import Measurement
import Support

// Cells are matched by key:
//
//   baseline                               candidate
//   5000-cities @d1, pool, main-only   ══  5000-cities @d1, pool, main-only      matched
//   5000-cities @d1, pool, parent-ch.                                            baselineOnly
//   import      @d1, pool, main-only   ╌╌  import      @d2, pool, main-only      otherDigests: both
//                                                                                are left unmatched
//
// Whatever decides whether two sides are comparable (digests, seeds, machines) is compared by key:
// sets of a whole side may be equal although no topology has the same in both.
//
// Only matched cells are compared.

package struct Matching: Sendable {
  package struct Match: Sendable {
    package let baseline: CellGroup
    package let candidate: CellGroup

    package var key: CellKey { baseline.key }

    package var question: Question { candidate.question }

    subscript(side: Side) -> CellGroup { side == .baseline ? baseline : candidate }
  }

  package struct Unmatched: Codable, Sendable, Equatable {
    package let key: CellKey
    package let cells: Int
    /// Whether the other side has these cells with another version of the scenario.
    package let isOtherDigest: Bool
  }

  package struct OtherDigest: Codable, Sendable, Equatable {
    package let setting: Setting
    /// The digests that the other side lacks, or lacks for a topology, sorted.
    package let baseline: [String]
    package let candidate: [String]
  }

  package enum Machines: String, Codable, Sendable {
    /// Every pair of matched cells is of the same machine.
    case same
    case different
    /// A side does not name its machine, so it may be another.
    case unknown
  }

  struct Hosts: Sendable {
    let baseline: Set<String>
    let candidate: Set<String>

    /// Whether a cell of either side does not name its machine.
    var areUnknown: Bool { [baseline, candidate].contains { $0.isEmpty || $0.contains("") } }
  }

  package let baseline: SideCells
  package let candidate: SideCells
  /// In the baseline's order.
  package let matches: [Match]
  package let baselineOnly: [Unmatched]
  package let candidateOnly: [Unmatched]
  package let otherDigests: [OtherDigest]
  package let machines: Machines
  /// Of each match, or of the sides if none matches.
  let hosts: [Hosts]
  /// `paired` only if every matched cell belongs to a pair of a duet. Two separate reports are
  /// unpaired, although their trials have equal numbers.
  package let pairing: Pairing

  package init(baseline: SideCells, candidate: SideCells) {
    self.baseline = baseline
    self.candidate = candidate
    matches = baseline.groups.compactMap { group in
      candidate.group(group.key).map { Match(baseline: group, candidate: $0) }
    }
    let arePaired = matches.allSatisfy { $0.baseline.isPaired && $0.candidate.isPaired }
    pairing = arePaired && !matches.isEmpty ? .paired : .unpaired
    baselineOnly = Self.unmatched(baseline, without: candidate)
    candidateOnly = Self.unmatched(candidate, without: baseline)
    otherDigests = Self.otherDigests(baseline, candidate)
    hosts =
      matches.isEmpty
      ? [Hosts(baseline: baseline.hosts, candidate: candidate.hosts)]
      : matches.map { Hosts(baseline: $0.baseline.hosts, candidate: $0.candidate.hosts) }
    machines = Self.machines(hosts, arePaired: pairing == .paired)
  }

  /// Runs with cells on both sides, which are compared with themselves.
  package var sharedRuns: Set<String> { baseline.runs.intersection(candidate.runs) }

  subscript(side: Side) -> SideCells { side == .baseline ? baseline : candidate }

  private static func unmatched(_ side: SideCells, without other: SideCells) -> [Unmatched] {
    let versions = Set(other.groups.map { $0.key.with(digest: "") })
    return side.groups.filter { other.group($0.key) == nil }.map { group in
      Unmatched(
        key: group.key, cells: group.cells,
        isOtherDigest: versions.contains(group.key.with(digest: "")))
    }
  }

  private static func otherDigests(_ baseline: SideCells, _ candidate: SideCells) -> [OtherDigest] {
    let (left, right) = (
      baseline.digests(lackedBy: candidate), candidate.digests(lackedBy: baseline)
    )
    return baseline.groups.map(\.key.setting).unique.compactMap { setting in
      let (before, after) = (left[setting, default: []], right[setting, default: []])
      guard !before.isEmpty || !after.isEmpty else { return nil }
      return OtherDigest(setting: setting, baseline: before.sorted(), candidate: after.sorted())
    }
  }

  /// - Parameter arePaired: both cells of a pair ran in one session, so they need no name.
  private static func machines(_ hosts: [Hosts], arePaired: Bool) -> Machines {
    if !arePaired, hosts.contains(where: \.areUnknown) { return .unknown }
    return hosts.allSatisfy { $0.baseline == $0.candidate } ? .same : .different
  }
}

extension SideCells {
  /// The digests that the other side has for no cell of the setting, or with which it lacks a
  /// topology that it has with another digest. None in a setting that the other side lacks.
  fileprivate func digests(lackedBy other: SideCells) -> [Setting: Set<String>] {
    let theirs = other.digests
    let versions = Set(other.groups.map { $0.key.with(digest: "") })
    return groups.map(\.key).reduce(into: [:]) { result, key in
      guard let known = theirs[key.setting], other.group(key) == nil,
        versions.contains(key.with(digest: "")) || !known.contains(key.digest)
      else { return }
      result[key.setting, default: []].insert(key.digest)
    }
  }

  private var digests: [Setting: Set<String>] {
    groups.reduce(into: [:]) { $0[$1.key.setting, default: []].insert($1.key.digest) }
  }
}

extension Matching.Match {
  /// Values of the rounds that both sides measured.
  package func pairs(_ metric: Metric) -> [(baseline: Double, candidate: Double)] {
    let others = candidate.valuesByRound(metric)
    let own = baseline.valuesByRound(metric)
    return baseline.rounds.unique.compactMap { round in
      guard let left = own[round], let right = others[round] else { return nil }
      return (left, right)
    }
  }

  /// Sides where the repeats of a trial differ in an exact count.
  func unsteadySides(_ count: Metric) -> Set<Side> {
    Set(Side.allCases.filter { self[$0].unsteadyCounts.contains(count.name) })
  }

  /// Whether cells of one seed ended with different rows.
  package var didUnequalWork: Bool {
    let both = baseline.fingerprints.merging(candidate.fingerprints) { $0.union($1) }
    return both.values.contains { $0.count > 1 }
  }
}
