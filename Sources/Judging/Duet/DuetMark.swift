package import Measurement

/// The purpose of a pair of a duet. The words stand in the CSV file.
package enum DuetPhase: String, Codable, Sendable, CaseIterable {
  /// The first pairs. Their spread decides the number of further pairs.
  case spread
  /// Up to the first look.
  case first
  /// From the first look to the second.
  case second
  /// Fresh pairs for flagged figures.
  case confirmation
  /// Instructions, without times.
  case count
}

package struct DuetMark: Codable, Sendable, Hashable {
  /// From 1, counted for each target; the same for both cells of a pair.
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
  /// Nil if the cell is not of a duet. In the CSV file: columns `pair`, `side` and `phase`.
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
