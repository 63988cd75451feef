import Foundation
import DataModel
import Workload

extension Scenario {
  /// The choices that decide the answer, each a short clause.
  var choices: [String] {
    let user = user.fetchesPerSecond + user.editsPerSecond + list.scrollRowsPerSecond
    let costs = [
      drawing.delta, drawing.cell, drawing.reload, drawing.frame, drawing.snapshotItem,
    ]
    return [
      changes.perSave.map { "\($0) changes per save" } ?? "all changes in one save",
      find == .perBatch ? "one IN fetch per batch" : "one fetch per object",
      disk,
      realisedRows,
      user == 0 ? "the user was idle" : "the user was active",
      "\(list.frameRate.formatted()) Hz",
      costs.allSatisfy { $0 == .zero } ? "drawing cost nothing" : "drawing had a cost",
    ].compactMap { $0 }
  }

  private var disk: String? {
    storage == .phone ? "the disk was slowed down to a phone's" : nil
  }

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
