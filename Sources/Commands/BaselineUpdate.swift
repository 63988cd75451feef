import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement

// `gate --update-baseline` prints the candidate's changes, then replaces the baseline with it. It
// refuses to overwrite a file that is not a report, and a candidate with a bad cell.

extension GateOptions {
  /// Where there is no baseline yet, makes one of the candidate.
  ///
  /// - Returns: whether it did.
  /// - Throws: `UsageError`; else what the renewal throws.
  func createBaselineIfMissing() throws -> Bool {
    guard updateBaseline else { return false }
    guard sides.baseline.count == 1 else {
      throw UsageError("--update-baseline: give one --baseline, the file to be renewed")
    }
    guard !sides.all.contains("-") else {
      throw UsageError("--update-baseline: name files; standard input has no environment beside it")
    }
    guard !FileManager.default.fileExists(atPath: sides.baseline[0]) else { return false }
    let renewal = try BaselineRenewal(of: sides.baseline[0], from: sides.candidate)
    try renewal.write()
    Messages.say("Baseline made: \(renewal.told)")
    return true
  }

  /// Puts the candidate in the baseline's place, whatever the verdict is: unless a cell is bad.
  func renewBaseline(of before: SideCells, badCells: Int) throws {
    guard badCells == 0 else {
      Messages.say("The baseline is not renewed: the candidate has bad cells.")
      throw ExitCode(ExitStatus.badCell.rawValue)
    }
    let renewal = try BaselineRenewal(of: sides.baseline[0], from: sides.candidate)
    try renewal.write()
    Messages.say("Baseline renewed: \(renewal.told); it was \(Self.told(before))")
  }

  private static func told(_ side: SideCells) -> String {
    let revisions =
      side.revisions.isEmpty ? "unknown" : side.revisions.sorted().joined(separator: ", ")
    return "\(side.cells) cells of commit \(revisions)"
  }
}

extension BaselineRenewal {
  fileprivate var told: String {
    let revision = cells.first?.gitSHA ?? ""
    return
      "\(baseline.path), \(cells.count) cells of commit \(revision.isEmpty ? "unknown" : revision)"
  }
}
