package import Judging
import Measurement

// A sweep in words and as a table:
//
//   save-per-object, pool store, over user.fetches_per_s
//   topology        0   rank   1,000   rank
//   A            12.0   1       40.1   2=

extension Sentences {
  /// `registered, pool store, over main.realised_percent`, with what else was set.
  package static func title(_ sweep: Sweep) -> String {
    let fixed = sweep.fixed.sorted { $0.key < $1.key }.map { "\($0) \($1.text)" }
    return "\(sweep.scenario), \(sweep.store) store, over \(sweep.field)"
      + (fixed.isEmpty ? "" : "; \(fixed.joined(separator: ", "))")
  }

  /// What the figures of its table are.
  package static func legend(_ sweep: Sweep) -> String {
    switch sweep.measure {
    case .blocked: "Blocked time, ms: median over trials, and rank at each value."
    case .blockedAndDrawing:
      "Blocked time and drawing together, ms: median over trials, and rank at each value."
    }
  }

  /// Between which values which topologies change places, and what these trials leave open.
  package static func crossovers(_ sweep: Sweep) -> String {
    guard sweep.points.contains(where: { $0.ranking.places.count > 1 }) else {
      return "There is no other topology to change places with."
    }
    let claimed = grouped(sweep.crossovers).map(clause)
    let unclear = sweep.unclear.map { "\($0.before) and \($0.after)" }
    var sentences: [String] = []
    if !claimed.isEmpty {
      sentences.append("Where the order changes: \(claimed.joined(separator: "; ")).")
    } else if sweep.trials < sweep.trialsNeeded {
      sentences.append(
        "Whether the order changes cannot be said: \(counted(sweep.trials, "trial")) of "
          + "\(sweep.trialsNeeded) that its ranking needs.")
    } else {
      sentences.append("Of no two topologies do these trials show that they change places.")
    }
    if !unclear.isEmpty {
      sentences.append(
        "In medians alone, inseparable at one value or both: \(few(unclear, of: "pair")).")
    }
    return sentences.joined(separator: " ")
  }

  /// One that falls behind several between the same values is told once.
  private static func grouped(_ crossovers: [Sweep.Crossover]) -> [[Sweep.Crossover]] {
    crossovers.reduce(into: []) { groups, crossover in
      let same = groups.firstIndex {
        $0[0].before == crossover.before && $0[0].from == crossover.from
          && $0[0].to == crossover.to
      }
      if let same { groups[same].append(crossover) } else { groups.append([crossover]) }
    }
  }

  private static func clause(_ group: [Sweep.Crossover]) -> String {
    let first = group[0]
    let names = group.map { crossover in
      crossover.after + (crossover.estimate.map { " (about \(Figures.short($0)))" } ?? "")
    }
    return "between \(first.from.text) and \(first.to.text), \(first.before) falls behind "
      + names.listed
  }

  private static let mostPairs = 6

  private static func few(_ texts: [String], of noun: String) -> String {
    guard texts.count > mostPairs else { return texts.joined(separator: "; ") }
    let shown = texts.prefix(mostPairs).joined(separator: "; ")
    return "\(shown); and \(counted(texts.count - mostPairs, "more \(noun)"))"
  }
}

/// The figures of a sweep: a row for each topology, two columns for each value.
struct SweepTable {
  let topologies: [String]
  private let sweep: Sweep

  /// Topologies in the order of the first value.
  init(_ sweep: Sweep) {
    self.sweep = sweep
    topologies = sweep.points.reduce(into: []) { names, point in
      for place in point.ranking.places where !names.contains(place.name) {
        names.append(place.name)
      }
    }
  }

  /// The heading, and the median and rank of each topology; `–` where there is no ok cell.
  var columns: [(value: String, medians: [String], ranks: [String])] {
    sweep.points.map { point in
      let places = topologies.map { name in point.ranking.places.first { $0.name == name } }
      return (
        point.value.text,
        places.map { place in place.map { Figures.short($0.median) } ?? "–" },
        places.map { place in place.map { "\($0.rank)\($0.isShared ? "=" : "")" } ?? "" }
      )
    }
  }

  func textTable(_ style: TextStyle) -> TextTable {
    let names = topologies.map { style.printable($0) }
    let leading = TextTable.Column(heading: "topology", cells: names, isNumeric: false)
    let columns = columns.flatMap { column in
      [
        TextTable.Column(
          heading: style.printable(column.value), unit: "ms",
          cells: Figures.aligned(column.medians.map { style.printable($0) })),
        TextTable.Column(
          heading: "rank", cells: column.ranks, isNumeric: false, staysWithPrevious: true),
      ]
    }
    return TextTable(leading: [leading], columns: columns)
  }

  /// Each cell `12.3 (2=)`.
  var markdown: String {
    let headings = ["topology"] + columns.map { Markdown.escaped($0.value) }
    let rule = [":---"] + columns.map { _ in "---:" }
    let rows = topologies.indices.map { row in
      [Markdown.escaped(topologies[row])]
        + columns.map { column in
          let rank = column.ranks[row]
          return column.medians[row] + (rank.isEmpty ? "" : " (\(rank))")
        }
    }
    return ([headings, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }
}
