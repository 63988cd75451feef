import Foundation
import Measurement
import Queues
import SoakSupport

/// An undisturbed run and its collection, to compare with.
final class SoundRun: Sendable {
  /// The options of a cell with 20 rows.
  let work: [String]
  let fingerprint: String
  /// The exact counts of a cell.
  let counts: [Double?]
  /// The cells' documents.
  let documents: [String]
  /// Their collection.
  let collected: [UInt8]
  private let callCounts = Lock<[KillTrial.Work: CallCounts]>([:])

  init(of topology: String, in base: TrialFolder) throws {
    let place = try TrialPlace(in: base, named: "sound-\(topology)")
    work = Tested.work + ["--topology", topology]
    func finish(_ arguments: [String]) throws {
      let command = try StartedCommand(arguments, in: place)
      let end = command.awaitEnd()
      guard end == .status(0) || end == .status(4) else {
        throw Unsound(
          "undisturbed, \(arguments) ends with \(end?.description ?? "a hang"): \(command.said)")
      }
    }
    try finish(
      ["run"] + work + ["--trials", "\(Tested.trials)", "--output", "a.csv"])
    let rows = try place.rows("a.csv")
    guard rows.count == Tested.trials, let row = rows.first else {
      throw Unsound("an undisturbed run has the rows \(rows)")
    }
    fingerprint = row.fingerprint
    counts = Self.counts(row)
    documents = place.documents(of: "a").map { place.file("a.cells/\($0)").path }
    try finish(["collect"] + documents + ["--output", "c.csv"])
    collected = place.bytes("c.csv")
  }

  /// The calls of undisturbed work, counted when they are needed first.
  func counts(
    of work: KillTrial.Work, count: () throws -> CallCounts
  ) throws -> CallCounts {
    if let known = callCounts.withLock({ $0[work] }) { return known }
    let counts = try count()
    callCounts.withLock { $0[work] = counts }
    return counts
  }

  /// - Returns: how the sound row differs from that of this run; nil if it does not.
  func difference(to row: CellResult) -> String? {
    if row.fingerprint != fingerprint { return "row \(row.order) has another fingerprint" }
    return Self.counts(row) == counts ? nil : "row \(row.order) has other exact counts"
  }

  private static func counts(_ row: CellResult) -> [Double?] {
    Metrics.exactCounts.map { row.metrics[$0] }
  }
}

struct Unsound: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
