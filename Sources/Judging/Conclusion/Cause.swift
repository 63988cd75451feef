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
  /// The counted work of main that costs the storage core most: its count times the core's cost.
  /// Nil if nothing was counted.
  package func cause(of question: Question) -> Conclusion.Cause? {
    let works = question.causes.compactMap { work in
      median(work.metric).map { (metric: work.metric, count: $0, cost: $0 * work.coreUs) }
    }
    guard okCells > 0, !works.isEmpty else { return nil }
    let counted = works.filter { $0.count > 0 }
    let costliest = counted.first { work in counted.allSatisfy { $0.cost <= work.cost } }
    return Conclusion.Cause(
      topologies: [name], metric: costliest?.metric, count: costliest?.count ?? 0)
  }
}
