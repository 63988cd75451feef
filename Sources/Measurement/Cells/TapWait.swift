// The exact distribution of a tap's wait.
//
//   main        ──┤ gap g ├──────┤ gap ├───────────
//   a tap here      ×────▶ waits for the rest of its gap; between gaps it waits for nothing
//   wait by instant ◣            ◣
//                 g  0         g′ 0
//
// A tap comes at a uniformly random instant of the horizon H. With probability g/H it falls into a
// gap, and waits from 0 to g: P(wait > x) = Σ max(0, gᵢ − x) / H. The percentiles follow without
// sampling. A gap that reaches past the horizon by o only delays the taps before it, from o to g.

package struct TapWait: Sendable {
  private struct Edge {
    var wait: Double
    /// +1 at a gap's longest wait, −1 at its shortest. Edges are in descending order.
    var step: Int
  }

  private let edges: [Edge]
  private let horizon: Double
  /// Σ gᵢ² / 2, in ms²: the wait over all instants.
  package let area: Double
  package let max: Double

  /// - Parameters:
  ///   - gaps: must not overlap. Instants count from the window's opening.
  ///   - horizon: in ms, greater than zero.
  package init(gaps: [GapSample], horizon: Double) {
    precondition(horizon > 0, "a horizon is longer than zero")
    self.horizon = horizon
    var edges: [Edge] = []
    var area = 0.0
    var longest = 0.0
    for gap in gaps where gap.start < horizon && gap.duration > 0 {
      let beyond = Swift.max(0, gap.start + gap.duration - horizon)
      edges.append(Edge(wait: gap.duration, step: 1))
      edges.append(Edge(wait: beyond, step: -1))
      area += (gap.duration * gap.duration - beyond * beyond) / 2
      longest = Swift.max(longest, gap.duration)
    }
    self.edges = edges.sorted { $0.wait > $1.wait }
    self.area = area
    max = longest
  }

  package var mean: Double { area / horizon }

  /// P(wait > x), exact.
  package func share(waitingLongerThan wait: Double) -> Double {
    var taps = 0.0
    var open = 0
    for (edge, next) in zip(edges, edges.dropFirst()) where edge.wait > wait {
      open += edge.step
      taps += Double(open) * (edge.wait - Swift.max(wait, next.wait))
    }
    return taps / horizon
  }

  /// The wait that this share of taps does not exceed. Exact.
  package func percentile(_ fraction: Double) -> Double {
    var taps = (1 - fraction) * horizon
    var open = 0
    for (edge, next) in zip(edges, edges.dropFirst()) {
      open += edge.step
      let between = Double(open) * (edge.wait - next.wait)
      if open > 0, between > taps { return edge.wait - taps / Double(open) }
      taps -= between
    }
    return 0
  }
}
