package import Measurement

/// Exact counts that differ between trials of equal work by design: they follow the worker's
/// progress or the number of frames.
///
/// The table of Documentation/Explanation/Counts.md is this list.
package struct VaryingCounts: Sendable {
  /// The part of a scenario's work that makes counts vary, in the words of the table.
  package enum Work: String, Sendable {
    case any
    case activeUser = "the user scrolls, edits, fetches, counts or searches"
    case twoWorkers = "`changes.second_worker`"
    case batches = "several saves; `list.batch_size`"
    case deletions =
      "several saves; `stream: replace`, `delete_where`, or `deletions` that are not `explicit`"
    case newRowsOnScreen = "several saves; updates or deletions"
  }

  /// Empty for every topology.
  package let topologies: [String]
  package let work: Work
  /// Nil for every exact count.
  package let counts: [Metric]?
  /// A clause that follows *because*.
  package let reason: String

  private init(
    _ topologies: [String] = [], in work: Work = .any, _ counts: [Metric]? = nil,
    because reason: String
  ) {
    self.topologies = topologies
    self.work = work
    self.counts = counts
    self.reason = reason
  }

  /// The first one that covers a count gives the reason.
  package static let all: [VaryingCounts] = [
    VaryingCounts(
      in: .activeUser, because: "the user meets the work at another point in each trial"),
    VaryingCounts(in: .twoWorkers, because: "each trial mixes the saves of two workers anew"),
    VaryingCounts(
      ["refetch"], [.mainStatements, .mainRowsRead, .mainFaultsFired],
      because: "\(laterRows), and rows that a frame shows are faults after each reset"),
    VaryingCounts(
      ["refetch-coalesced"], [.mainStatements, .mainRowsRead, .mainFaultsFired],
      because: "saves that come while main is busy share a refresh"),
    VaryingCounts(
      ["refetch", "refetch-coalesced"], [.mainListChanges],
      because: "a row that a save deletes before main reads it leaves the list"),
    VaryingCounts(
      ["sqlite-direct"], [.mainStatements, .mainRowsRead],
      because: "each frame reads the rows that it shows, one statement each"),
    VaryingCounts(["swiftdata", "swiftdata-autosave"], [.mainRowsRead], because: laterRows),
    VaryingCounts(["root-hybrid"], [.mainStaleObjects], because: "it depends on scheduling"),
    VaryingCounts(
      in: .batches,
      [.mainStatements, .mainRowsRead, .mainListChanges, .scrollStatements, .scrollRowsRead],
      because: "a batch of a list also reads rows of later saves"),
    VaryingCounts(
      [
        "notification-merge", "container", "thread-confinement", "context-actor", "root-hybrid",
        "private-from-main", "two-coordinators", "batch-insert",
      ], in: .deletions,
      [.mainStatements, .mainRowsRead, .mainObjectsRefreshed, .mainListChanges],
      because: "a save may delete a row before main reads it"),
    VaryingCounts(
      in: .newRowsOnScreen, [.mainFaultsFired], because: "frames read rows that come on screen"),
  ]

  private static let laterRows = "a fetch of the whole list also reads rows of later saves"
}

/// The known work of one setting: fields of the scenario, and columns of its rows.
package struct WorkFacts: Sendable {
  private let fields: [String: String]
  private let hasSeveralSaves: Bool
  private let updatesOrDeletes: Bool

  /// - Parameter cells: of one setting.
  package init(_ cells: [CellResult], _ context: RunContext) {
    func known(_ value: (CellResult) -> Int?) -> Int { cells.lazy.compactMap(value).first ?? 0 }
    let fixed = cells.first.flatMap { context.fields[$0.scenario] } ?? [:]
    fields = fixed.merging(Self.fields(cells.first?.parameters ?? "")) { $1 }
    hasSeveralSaves = known(\.saves) > 1
    updatesOrDeletes = known(\.updates) + known(\.deletes) > 0
  }

  /// Knows only the fields that were set or swept.
  package init(parameters: String) {
    fields = Self.fields(parameters)
    (hasSeveralSaves, updatesOrDeletes) = (false, false)
  }

  private static func fields(_ parameters: String) -> [String: String] {
    SweptParameters(parameters).values.mapValues(\.text)
  }

  /// Why trials of equal work may differ in a count. Nil if no reason is known.
  package func reason(_ count: Metric, of topology: String) -> String? {
    VaryingCounts.all.first {
      ($0.topologies.isEmpty || $0.topologies.contains(topology)) && has($0.work)
        && ($0.counts?.contains(count) ?? true)
    }?.reason
  }

  private func has(_ work: VaryingCounts.Work) -> Bool {
    switch work {
    case .any: true
    case .activeUser:
      sets(
        "list.scroll_rows_per_s", "user.edits_per_s", "user.fetches_per_s", "user.counts_per_s",
        "user.searches_per_s")
    case .twoWorkers: sets("changes.second_worker")
    case .batches: hasSeveralSaves && sets("list.batch_size")
    case .deletions:
      hasSeveralSaves
        && (fields["changes.stream"] == "replace" || sets("changes.delete_where")
          || fields["changes.deletions", default: "explicit"] != "explicit")
    case .newRowsOnScreen: hasSeveralSaves && updatesOrDeletes
    }
  }

  private func sets(_ names: String...) -> Bool {
    names.contains { !["0", "none"].contains(fields[$0, default: "none"]) }
  }
}
