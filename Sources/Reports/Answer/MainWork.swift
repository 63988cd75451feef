import Judging
import Measurement

/// Counted work on main that explains blocked time.
struct MainWork: Equatable {
  let metric: Metric
  /// For one topology, and for several.
  let verbs: [String]
  /// `rows`; empty where `done` names the objects.
  let noun: String
  /// `written`
  let done: String

  /// The costliest first.
  static let all = [
    MainWork(.mainRowsWritten, ["writes", "write"], "rows", "written"),
    MainWork(.mainObjectsCopied, ["copies", "copy"], "objects", "copied"),
    MainWork(.mainRowsRead, ["reads", "read"], "rows", "read"),
    MainWork(.mainObjectsRefreshed, ["refreshes", "refresh"], "objects", "refreshed"),
    MainWork(.mainFaultsFired, ["fires", "fire"], "", "faults"),
    MainWork(.mainListChanges, ["makes", "make"], "list", "changes"),
  ]

  private init(_ metric: Metric, _ verbs: [String], _ noun: String, _ done: String) {
    (self.metric, self.verbs, self.noun, self.done) = (metric, verbs, noun, done)
  }

  func clause(_ count: Double, of topologies: Int) -> String {
    let things = noun.isEmpty ? done : noun == "list" ? "list changes" : noun
    let counted = count == 1 ? String(things.dropLast()) : things
    return "\(verbs[topologies == 1 ? 0 : 1]) \(Figures.count(count)) \(counted)"
  }
}

extension TopologySummary {
  /// The costliest counted work of main; nil if it did none.
  var mainWork: (work: MainWork, count: Double)? {
    for work in MainWork.all {
      if let count = median(work.metric), count > 0 { return (work, count) }
    }
    return nil
  }

  fileprivate var isCounted: Bool { MainWork.all.contains { median($0.metric) != nil } }
}

extension Sentences {
  static func why(_ section: SummarySection) -> String? {
    let counted = section.topologies.filter { $0.isCounted && $0.okCells > 0 }
    let working = counted.compactMap { topology in
      topology.mainWork.map { (name: topology.name, work: $0.work, count: $0.count) }
    }
    guard !working.isEmpty, !section.isDiscarded else { return nil }
    let groups = working.grouped { "\($0.work.metric.name) \($0.count)" }.map(\.elements)
    let idle = counted.filter { $0.mainWork == nil }.map(\.name)
    let clauses =
      groups.prefix(mostWorks).map { group in
        "\(few(group.map(\.name))) \(group[0].work.clause(group[0].count, of: group.count))"
      } + (idle.isEmpty ? [] : ["\(few(idle)) \(idle.count == 1 ? "does" : "do") none of this"])
    return "Why, in exact counts: on main, \(clauses.joined(separator: "; "))."
  }

  private static let mostWorks = 6
}
