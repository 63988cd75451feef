package import Measurement

/// The metrics that an answer judges.
package struct Question: Codable, Sendable, Equatable {
  package enum Phase: String, Codable, Sendable {
    /// The window in which changes arrive at a list on screen.
    case change
  }

  package let phase: Phase
  /// Main's time in database work, in ms. It ranks the topologies.
  package let blocked: Metric
  /// The longest time that main served no event, in ms. It decides whether the screen freezes.
  package let gap: Metric
  package let statements: Metric

  package static let change = Question(
    phase: .change, blocked: .mainBlocked, gap: .mainLongestGap, statements: .mainStatements)
}
