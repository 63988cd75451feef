import DataModel
import Foundation
package import Judging
package import Workload

/// The choices that decide the answer in one setting, for the environment file.
package struct ScenarioChoices: Codable, Sendable, Equatable {
  package var scenario: String
  package var parameters: String
  /// Each a short clause.
  package var choices: [String]
}

extension Scenario.Costs {
  /// Nil without prices.
  fileprivate var clause: String? {
    guard !prices.isEmpty else { return nil }
    return "\(RunContext.priced) of " + (device.map { "the device profile '\($0)'" } ?? "`costs`")
  }
}

extension Scenario {
  package func choices(keepsAwake: Bool) -> [String] {
    let isIdle =
      user.fetchesPerSecond + user.editsPerSecond + list.scrollRowsPerSecond == 0 && !user.asks
    let drawingCosts = [
      drawing.delta, drawing.cell, drawing.reload, drawing.frame, drawing.snapshotItem,
    ]
    return [
      changes.perSave.map { "\($0) changes per save" } ?? "all changes in one save",
      lookup,
      batches,
      costs.clause,
      storage == .phone ? "the disk was slowed down to a phone's" : nil,
      realisedRows,
      isIdle ? "the user was idle" : "the user was active",
      "\(list.frameRate.formatted()) Hz",
      drawingCosts.allSatisfy { $0 == .zero } ? "drawing cost nothing" : "drawing had a cost",
      keepsAwake ? "processors were kept awake" : nil,
    ].compactMap { $0 }
  }

  private var lookup: String {
    switch find {
    case .perBatch: "one IN fetch per batch"
    case .perObject: "one fetch per object"
    case .constraint: "no fetch: a uniqueness constraint finds the objects"
    }
  }

  /// No source says how Core Data keeps a list with a batch size current: Semantics 130 and 131.
  private var batches: String? {
    guard list.batchSize > 0, !list.shown.isEmpty else { return nil }
    let sections = if case .attribute = list.section { ", SQL counts sections" } else { "" }
    return "the list fetched \(list.batchSize) rows a batch, on a child context all at once "
      + "\(RunContext.assumed)a changed row reads O(log n) batches\(sections))"
  }

  package var setting: Setting { Setting(scenario: name, parameters: parametersJSON) }

  private var realisedRows: String {
    if realisedShare > 0 {
      return "\((realisedShare * 100).formatted()) % of main's rows were realised"
    }
    return switch realised {
    case .none: "no row of the list was realised"
    case .visible: "\(list.visibleRows) visible rows of the list were realised"
    case .all: "all rows of the list were realised"
    }
  }
}
