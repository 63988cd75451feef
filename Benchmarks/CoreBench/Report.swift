import Foundation

/// The costs as a table for people and as rows for machines.
struct Report {
  let rounds: [Rounds]

  static let contenders = ["C API", "GRDB statements", "GRDB records", "core"]

  var table: String {
    rounds.map { round in
      let header = "\(round.size) objects, median of \(round.count) rounds, ns per object"
      let memory = round.bytesPerObject.map { "realised and registered: \($0) bytes per object" }
      return
        ([header, columns(["", "C API", "GRDB stm", "GRDB rec", "core", "core ÷ C"])]
        + Step.allCases.map { line(of: $0, in: round) } + [memory ?? ""]).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private func line(of step: Step, in round: Rounds) -> String {
    let medians = Self.contenders.map { name in
      round.costs.first { $0.step == step && $0.contender == name }?.median
    }
    var ratio = "–"
    if let base = medians[0], let core = medians[3] { ratio = text(core / base, digits: 2) }
    return columns(
      [step.rawValue] + medians.map { $0.map { text($0, digits: 0) } ?? "–" } + [ratio])
  }

  private func columns(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, (index == 0 ? 22 : 10) - cell.count))
      return index == 0 ? cell + padding : padding + cell
    }.joined()
  }

  private func text(_ value: Double, digits: Int) -> String {
    value.formatted(
      .number.precision(.fractionLength(digits)).grouping(.never)
        .locale(Locale(identifier: "en_US_POSIX")))
  }

  /// One row a round: `size,step,contender,round,ns_per_object`.
  var csv: String {
    let rows = rounds.flatMap(\.costs).flatMap { cost in
      cost.nanoseconds.enumerated().map { round, value in
        "\(cost.size),\(cost.step.rawValue.replacing(",", with: "")),\(cost.contender),\(round + 1),\(value)"
      }
    }
    let memory = rounds.compactMap { round in
      round.bytesPerObject.map { "\(round.size),bytes per realised object,core,,\($0)" }
    }
    return (["size,step,contender,round,ns_per_object"] + rows + memory).joined(separator: "\n")
      + "\n"
  }
}
