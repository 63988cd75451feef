import Measurement

extension Conclusion.Cause {
  /// - Parameter topologies: the least blocked first.
  static func all(
    of topologies: [TopologySummary], _ question: Question
  ) -> [Conclusion.Cause] {
    let causes = topologies.compactMap { topology in
      topology.cause(of: question).map { (topology.name, $0) }
    }
    let groups = causes.grouped { "\($0.1.metric?.name ?? "") \($0.1.count)" }.map(\.elements)
    let working = groups.filter { $0[0].1.metric != nil }
    let idle = groups.filter { $0[0].1.metric == nil }
    return (working + idle).map { group in
      Conclusion.Cause(
        topologies: group.map(\.0), metric: group[0].1.metric, count: group[0].1.count)
    }
  }
}

extension TopologySummary {
  /// The costliest counted work of main. Nil if nothing was counted.
  package func cause(of question: Question) -> Conclusion.Cause? {
    let counts = question.causes.compactMap { metric in
      median(metric).map { (metric, $0) }
    }
    guard okCells > 0, !counts.isEmpty else { return nil }
    let first = counts.first { $0.1 > 0 }
    return Conclusion.Cause(topologies: [name], metric: first?.0, count: first?.1 ?? 0)
  }
}
