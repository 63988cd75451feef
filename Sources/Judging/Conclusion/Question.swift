package import Measurement

/// The metrics that an answer judges. A scenario's `asks_about` names the phase.
package struct Question: Codable, Sendable, Equatable {
  package enum Phase: String, Codable, Sendable, CaseIterable {
    /// From before the store is opened to the first frame with rows.
    case open
    /// The window in which changes arrive at a list on screen.
    case change
    /// A scroll through the whole list after the changes.
    case scroll
  }

  package let phase: Phase
  /// Main's time in database work, in ms. It ranks the topologies.
  package let blocked: Metric
  /// The longest time that main served no event, in ms. It decides whether the screen freezes.
  package let gap: Metric
  package let statements: Metric

  package static let open = Question(
    phase: .open, blocked: .openBlocked, gap: .openLongestGap, statements: .openStatements)
  package static let change = Question(
    phase: .change, blocked: .mainBlocked, gap: .mainLongestGap, statements: .mainStatements)
  package static let scroll = Question(
    phase: .scroll, blocked: .mainDeferred, gap: .scrollLongestGap, statements: .scrollStatements)

  /// The usual question first.
  package static let all = [change, open, scroll]

  /// When the rows are on screen, from the phase's beginning. A scroll ends with the list.
  package var visible: Metric? {
    switch phase {
    case .open: .openVisible
    case .change: .visible
    case .scroll: nil
    }
  }

  /// Of a counted cell.
  package var instructions: Metric {
    switch phase {
    case .open: .openInstructions
    case .change: .mainInstructions
    case .scroll: .scrollInstructions
    }
  }

  /// The times that a comparison judges.
  package var times: [Metric] { [blocked, gap] + [visible].compactMap { $0 } }

  /// The counted work of main that explains blocked time, with the storage core's own cost of each
  /// event in µs; 0 if it has no price, like a change of the list.
  package var causes: [(metric: Metric, coreUs: Double)] {
    // The metric, and the one of main whose event it counts.
    let works: [(Metric, Metric)] =
      switch phase {
      case .open: [(.openRowsRead, .mainRowsRead), (.openStatements, .mainStatements)]
      case .change:
        [
          .mainRowsWritten, .mainRowsRead, .mainObjectsRefreshed, .mainObjectsCopied,
          .mainFaultsFired, .mainListChanges,
        ].map { ($0, $0) }
      case .scroll: [(.scrollRowsRead, .mainRowsRead), (.scrollStatements, .mainStatements)]
      }
    return works.map { metric, counted in
      (metric, EventPrice.all.first { $0.counts.contains(counted) }?.coreUs ?? 0)
    }
  }

  /// Of cells that share a setting.
  package init(of cells: [CellResult]) {
    let phase = cells.lazy.compactMap { $0.metrics[label: .asksAbout] }.first
    self = Self.all.first { $0.phase.rawValue == phase } ?? .change
  }

  private init(phase: Phase, blocked: Metric, gap: Metric, statements: Metric) {
    (self.phase, self.blocked, self.gap, self.statements) = (phase, blocked, gap, statements)
  }
}

extension CellResult {
  package var question: Question { Question(of: [self]) }
}

extension MedianTrial {
  /// By blocked time in the phase that the cells ask about. Pages and traces show this trial.
  package init?(asked cells: [CellResult]) {
    self.init(cells, by: Question(of: cells).blocked)
  }
}
