package import Measurement

/// The words stand in the CSV file.
package enum DuetPhase: String, Codable, Sendable, CaseIterable {
  /// The first pairs. Their spread decides how many follow.
  case spread
  /// Up to the first look.
  case first
  /// Up to the second look.
  case second
  /// Fresh pairs for flagged figures.
  case confirmation
  /// Instructions, without times.
  case count
}

package struct DuetMark: Codable, Sendable, Hashable {
  /// From 1 for each target. Both cells of a pair have the same.
  package let pair: Int
  package let side: Side
  package let phase: DuetPhase

  package init(pair: Int, side: Side, phase: DuetPhase) {
    self.pair = pair
    self.side = side
    self.phase = phase
  }
}

extension CellResult {
  /// The columns `pair`, `side` and `phase`.
  package var duet: DuetMark? {
    get {
      guard let pair = metrics[label: .pair].flatMap({ Int($0) }),
        let side = metrics[label: .side].flatMap(Side.init),
        let phase = metrics[label: .phase].flatMap(DuetPhase.init)
      else { return nil }
      return DuetMark(pair: pair, side: side, phase: phase)
    }
    set {
      metrics[label: .pair] = newValue.map { String($0.pair) }
      metrics[label: .side] = newValue?.side.rawValue
      metrics[label: .phase] = newValue?.phase.rawValue
    }
  }
}
