import Foundation
import Measurement

struct Report {
  let rounds: [Rounds]

  static let contenders = Rounds.contenders.map { $0.name }

  var table: String {
    rounds.map { round in
      let time = round.clock.countsProcessorTime ? "ns of processor time" : "ns"
      let header = "\(round.size) objects, median of \(round.count) rounds, \(time) per object"
      let memory = round.bytesPerObject.map { "realised and registered: \($0) bytes per object" }
      return
        ([header, columns(["", "C API", "GRDB stm", "GRDB rec", "core", "core ÷ C"], first: 22)]
        + Step.allCases.map { line(of: $0, in: round) } + [
          memory ?? "bytes per object: not measured, the allocator does not tell"
        ]).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private func line(of step: Step, in round: Rounds) -> String {
    let medians = Self.contenders.map { name in
      round.costs.first { $0.step == step && $0.contender == name }?.median
    }
    let ratio = ratio(of: step, in: round).map { text($0, digits: 2) }
    return columns(
      [step.rawValue] + medians.map { $0.map { text($0, digits: 0) } ?? "–" } + [ratio ?? "–"],
      first: 22)
  }

  /// The median of each round's ratio: what slows a round down slows both sides.
  private func ratio(of step: Step, in round: Rounds) -> Double? {
    let sides = [Self.contenders[3], Self.contenders[0]].compactMap { name in
      round.costs.first { $0.step == step && $0.contender == name }?.nanoseconds
    }
    guard sides.count == 2 else { return nil }
    return Statistics.median(zip(sides[0], sides[1]).map { $0 / $1 })
  }

  private func text(_ value: Double, digits: Int) -> String {
    value.formatted(
      .number.precision(.fractionLength(digits)).grouping(.never)
        .locale(Locale(identifier: "en_US_POSIX")))
  }

  var csv: String {
    let rows = rounds.flatMap(\.costs).flatMap { cost in
      cost.nanoseconds.enumerated().map { round, value in
        "\(cost.size),\(cost.step.rawValue.replacing(",", with: "")),\(cost.contender),\(round + 1),"
          + "\(value),"
      }
    }
    let memory = rounds.compactMap { round in
      round.bytesPerObject.map { "\(round.size),realised,core,\(round.count),,\($0)" }
    }
    return (["size,step,contender,round,ns_per_object,bytes_per_object"] + rows + memory).joined(
      separator: "\n")
      + "\n"
  }
}

/// A line of a table: a name, then cells of ten columns, aligned to the right.
func columns(_ cells: [String], first width: Int) -> String {
  let name = cells[0].padding(toLength: width, withPad: " ", startingAt: 0)
  return cells.dropFirst().reduce(name) { line, cell in
    line + String(repeating: " ", count: max(1, 10 - cell.count)) + cell
  }
}
