package import Measurement

// A conclusion says what the figures of one setting show. It is computed here, once. Terminal,
// page, Markdown, JSON and Findings phrase it, and add no judgement of their own.
//
//   cells ─▶ Ranking, TopologySummary, Trust ─▶ Conclusion ─┬─▶ freezes    does the screen freeze?
//                                                           ├─▶ order      who blocks main least?
//                                                           ├─▶ causes     why
//                                                           └─▶ doubts     what may be wrong

package struct Conclusion: Codable, Sendable, Equatable {
  package let question: Question
  /// The longest median first.
  package let freezes: [Freeze]
  /// Topologies of which a trial hides whether they freeze: a gap of the instrument's is longer.
  package let hidden: [String]
  /// The phases not asked about in which a gap passes a frame.
  package let otherPhases: [OtherPhase]
  package let order: Order
  /// Nil unless the least blocked topology shows its changes over twice as late as another one.
  package let lateRows: LateRows?
  /// Groups of topologies whose main did equal work, in the order of blocked time.
  package let causes: [Cause]
  /// Reasons to doubt the result that no reading of `Trust` states.
  package let doubts: [Diagnosis]

  package struct Order: Codable, Sendable, Equatable {
    package enum Standing: String, Codable, Sendable {
      /// No cell ended ok.
      case nothing
      /// Cells ended ok, but none has blocked time.
      case unmeasured
      /// There is no second topology to compare.
      case alone
      case tooFewTrials = "too few trials"
      /// The machine disturbed the run: nothing is ranked.
      case discarded
      /// No ranked topology stays within a frame, but an unranked one does: none is best.
      case frozen
      /// The trials separate no topology from the least blocked, apart from those that freeze.
      case tied
      /// The best is alone within a frame, or separated from another topology.
      case separated
    }

    package struct Entry: Codable, Sendable, Equatable {
      package let topology: String
      /// Median over trials, in ms.
      package let blocked: Double
    }

    package let standing: Standing
    /// The topology with the least blocked time, and those that the trials do not separate from it,
    /// without `excluded`. Empty without a ranking, or if all that are ranked freeze.
    package let best: [Entry]
    /// Ranked topologies that usually freeze for more than a frame although another topology stays
    /// within one. They are never called best. Empty without a ranking.
    package let excluded: [Entry]
    /// Topologies that share too few trials with others to be ranked.
    package let unranked: [Entry]
    /// Ranked topologies that stay within a frame in more than half of the trials. Empty if none is
    /// excluded.
    package let steady: [String]
    /// Whether these stay within a frame in every trial.
    package let isAlwaysSteady: Bool
    /// Whether the trials separate two of the topologies that are ranked.
    package let separatesAny: Bool
    /// All topologies, the least blocked first.
    package let all: [Entry]
    /// The most rounds that two topologies share.
    package let trials: Int
    package let trialsNeeded: Int
    /// The readings that discard the run.
    package let discardedBecause: [String]
  }

  package struct OtherPhase: Codable, Sendable, Equatable {
    package let phase: Question.Phase
    /// The longest gap of any cell, in ms.
    package let longest: Double
    package let topology: String
    /// Cells with a gap over a frame.
    package let cellsBeyond: Int
    /// Cells that measured the phase.
    package let cells: Int
  }

  package struct LateRows: Codable, Sendable, Equatable {
    package let topology: String
    /// When its changes are on screen, in ms: the median over trials.
    package let visible: Double
    /// The topology whose changes are on screen first.
    package let first: String
    package let firstVisible: Double
  }

  package struct Cause: Codable, Sendable, Equatable {
    package let topologies: [String]
    /// An exact count. Nil if main did none of the counted work.
    package let metric: Metric?
    package let count: Double
  }
}

extension Conclusion {
  /// All topologies with an ok cell.
  package var topologies: Set<String> {
    Set(order.all.map(\.topology) + freezes.map(\.topology) + hidden)
  }

  /// The worst usual freeze of all topologies.
  package var usualFreeze: FreezeLimit? { freezes.compactMap(\.usual).max() }

  /// The worst freeze of any trial.
  package var worstFreeze: FreezeLimit? { freezes.compactMap(\.worst).max() }
}

extension Conclusion {
  /// - Parameters:
  ///   - ok: the cells that ended ok.
  ///   - trust: of a discarded run.
  init(
    _ ok: [CellResult], _ ranking: Ranking, _ question: Question, trialsNeeded: Int,
    discardedBy trust: Trust? = nil, topologies: [TopologySummary] = [], doubts: [Diagnosis] = []
  ) {
    self.question = question
    let cells = Dictionary(grouping: ok, by: \.topology)
    freezes = cells.compactMap { Freeze($0, $1, question) }
      .sorted { ($1.gap ?? 0, $0.topology) < ($0.gap ?? 0, $1.topology) }
    hidden =
      question.phase == .change
      ? cells.filter { $1.contains(where: \.hidesGaps) }.map(\.key).sorted() : []
    otherPhases = Question.all.filter { $0 != question }.compactMap { OtherPhase(ok, $0) }
    let order = Order(
      ranking, freezes, trialsNeeded: trialsNeeded, hasCells: !ok.isEmpty,
      discardedBecause: trust?.readings.filter { $0.grade == .discard }.map(\.what) ?? [])
    self.order = order
    lateRows = question.visible.flatMap { LateRows(order, topologies, $0) }
    causes = Cause.all(of: topologies, question)
    self.doubts = doubts
  }
}

extension Conclusion.OtherPhase {
  /// Nil if no gap passes a frame.
  fileprivate init?(_ ok: [CellResult], _ question: Question) {
    let gaps = ok.values(question.gap)
    guard let longest = gaps.max(), FreezeLimit.frame.isPassed(by: longest) else { return nil }
    let names = ok.filter { $0.value(question.gap) == longest }.map(\.topology)
    self.init(
      phase: question.phase, longest: longest, topology: names.min() ?? "",
      cellsBeyond: gaps.count(where: FreezeLimit.frame.isPassed), cells: gaps.count)
  }
}

extension Conclusion.LateRows {
  fileprivate init?(
    _ order: Conclusion.Order, _ topologies: [TopologySummary], _ metric: Metric
  ) {
    let visible = topologies.compactMap { topology in
      topology.median(metric).map { (topology.name, $0) }
    }
    let best = order.best.first.flatMap { best in visible.first { $0.0 == best.topology } }
    guard let best, let first = visible.min(by: { $0.1 < $1.1 }), best.1 > 2 * first.1 else {
      return nil
    }
    self.init(topology: best.0, visible: best.1, first: first.0, firstVisible: first.1)
  }
}
