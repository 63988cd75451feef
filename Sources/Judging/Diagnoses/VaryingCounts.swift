package import Measurement

/// Exact counts that differ between trials of equal work by design: they follow the worker's
/// progress or the number of frames.
///
/// The table of Documentation/Explanation/Counts.md is this list.
package struct VaryingCounts: Sendable {
  /// Nil: every topology.
  package let topology: String?
  /// Nil: every scenario.
  package let scenario: String?
  /// Nil: every exact count.
  package let counts: [Metric]?
  /// A clause that follows *because*.
  package let reason: String

  private init(
    _ topology: String?, in scenario: String? = nil, _ counts: [Metric]? = nil,
    because reason: String
  ) {
    self.topology = topology
    self.scenario = scenario
    self.counts = counts
    self.reason = reason
  }

  package static let all: [VaryingCounts] =
    [
      VaryingCounts(
        "refetch", [.mainStatements, .mainRowsRead, .mainFaultsFired],
        because: "\(laterRows), and rows that a frame shows are faults after each reset"),
      VaryingCounts("refetch", [.mainListChanges], because: deletedRows),
      VaryingCounts(
        "refetch-coalesced", [.mainStatements, .mainRowsRead, .mainFaultsFired],
        because: "saves that come while main is busy share a refresh"),
      VaryingCounts("refetch-coalesced", [.mainListChanges], because: deletedRows),
      VaryingCounts(
        "sqlite-direct", [.mainStatements, .mainRowsRead],
        because: "each frame reads the rows that it shows, one statement each"),
      VaryingCounts("swiftdata", [.mainRowsRead], because: laterRows),
      VaryingCounts("swiftdata-autosave", [.mainRowsRead], because: laterRows),
      VaryingCounts(
        "root-hybrid", [.mainStaleObjects], because: "it depends on scheduling"),
    ]
    + [
      "5000-cities-scroll", "5000-cities-edit", "chat", "search-as-you-type", "aged-store",
      "save-per-object",
    ].map { VaryingCounts(nil, in: $0, because: activeUser) }
    + [
      VaryingCounts(
        nil, in: "two-writers", because: "each trial mixes the saves of two workers anew"),
      VaryingCounts("notification-merge", in: "patients", because: framesReadRows),
      VaryingCounts(
        "notification-merge", in: "5000-cities-replace", [.mainStatements],
        because: framesReadRows),
      VaryingCounts(
        "batch-insert", in: "sign-out", [.mainStatements, .mainRowsRead, .mainFaultsFired],
        because: framesReadRows),
      VaryingCounts(
        nil, in: "sections",
        [.mainStatements, .mainRowsRead, .mainListChanges, .scrollStatements, .scrollRowsRead],
        because: "a batch of a list also reads rows of later saves"),
    ]
    + ["5000-cities-replace", "drawing", "many-lists", "sign-out"].map {
      VaryingCounts(nil, in: $0, [.mainFaultsFired], because: framesReadRows)
    }

  private static let laterRows = "a fetch of the whole list also reads rows of later saves"
  private static let deletedRows = "a row that a save deletes before main reads it leaves the list"
  private static let activeUser = "the user meets the work at another point in each trial"
  private static let framesReadRows = "frames read changed rows"

  /// Why trials may differ in a count. Nil if equal work gives an equal count.
  ///
  /// - Parameter choices: `RunContext.defaults(for:)`. Empty if unknown: the scenario's name then
  ///   tells whether a user is active.
  package static func reason(
    _ count: Metric, of topology: String, in scenario: String, choices: [String] = []
  ) -> String? {
    if choices.contains(RunContext.activeUser) { return activeUser }
    return all.first {
      $0.covers(count, of: topology, in: scenario)
        && (choices.isEmpty || $0.reason != activeUser)
    }?.reason
  }

  private func covers(_ count: Metric, of topology: String, in scenario: String) -> Bool {
    (self.topology ?? topology) == topology && (self.scenario ?? scenario) == scenario
      && (counts?.contains(count) ?? true)
  }
}
