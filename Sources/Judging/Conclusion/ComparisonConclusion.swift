import Measurement

extension Comparison {
  /// A figure of one topology in one setting.
  package struct Case: Codable, Sendable, Equatable {
    package let key: CellKey
    package let figure: Figure
  }

  /// The figures of a comparison, each in one array.
  package struct Conclusion: Codable, Sendable, Equatable {
    /// Why no time is better, worse or the same. Nil if times count, or none was compared.
    package let timesDoubt: Diagnosis?
    /// Longest gaps that are judged to differ and pass a limit on one side alone. The worst limit
    /// first, and freezes that begin before those that end. They are in no other array.
    package let freezes: [Case]
    package let worse: [Case]
    package let better: [Case]
    /// Changed metrics without a better direction.
    package let differs: [Case]
    package let undecided: [Case]
    package let same: [Case]
  }

  package var conclusion: Conclusion {
    Conclusion(sections.flatMap(\.cases), timesDoubt: timesDoubt)
  }
}

extension Comparison.Conclusion {
  fileprivate init(_ cases: [Comparison.Case], timesDoubt: Diagnosis?) {
    self.timesDoubt = cases.allSatisfy { $0.figure.metric.isCount } ? nil : timesDoubt
    freezes = FreezeLimit.allCases.reversed().flatMap { limit in
      let passing = cases.filter { $0.limit == limit && $0.isFreeze }
      return passing.filter(\.begins) + passing.filter { !$0.begins }
    }
    let others = Dictionary(grouping: cases.filter { !$0.isFreeze }, by: \.figure.verdict)
    worse = others[.worse] ?? []
    better = others[.better] ?? []
    differs = others[.differs] ?? []
    undecided = others[.inconclusive] ?? []
    same = others[.same] ?? []
  }

  package var all: [Comparison.Case] { freezes + worse + better + differs + undecided + same }

  /// Longest gaps that pass a limit on one side alone, and are not judged to differ.
  package var crossings: [Comparison.Case] { (undecided + same).filter { $0.limit != nil } }
}

extension Comparison.Case {
  /// The worst limit that the median longest gap of one side alone passes.
  package var limit: FreezeLimit? {
    guard Question.all.map(\.gap).contains(figure.metric) else { return nil }
    return FreezeLimit.allCases.last {
      $0.isPassed(by: figure.baseline.median) != $0.isPassed(by: figure.candidate.median)
    }
  }

  /// Whether the candidate's gap is the longer one.
  package var begins: Bool { figure.candidate.median > figure.baseline.median }

  /// Whether the verdict bears out that a freeze begins or ends.
  package var isFreeze: Bool {
    limit != nil && figure.verdict == (begins ? .worse : .better)
  }
}

extension Comparison.Section {
  fileprivate var cases: [Comparison.Case] {
    topologies.flatMap { topology in
      topology.figures.map { .init(key: key.with(topology: topology.name), figure: $0) }
    }
  }
}
