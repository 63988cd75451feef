package import Judging
import Measurement

// Why: on main, A refreshes 1,826 objects; B and C write 3,628 rows.

extension Phrases {
  package static func why(_ conclusion: Conclusion) -> String? {
    let causes = conclusion.causes
    guard causes.contains(where: { $0.metric != nil }), conclusion.order.standing != .discarded
    else { return nil }
    let frozen = Set(conclusion.freezes.filter { $0.usual != nil }.map(\.topology))
    let working = causes.filter { $0.metric != nil }
    // What freezes the screen is explained first.
    let (first, then) = (
      working.filter { !frozen.isDisjoint(with: $0.topologies) },
      working.filter { frozen.isDisjoint(with: $0.topologies) }
    )
    let named = (first + then).prefix(mostCauses)
    let unnamed = (first + then).dropFirst(mostCauses).flatMap(\.topologies).count
    let idle = causes.filter { $0.metric == nil }
    let clauses = (named + idle).map { cause in
      "\(few(cause.topologies.map(brief))) \(work(cause))"
    }
    let isEqual = causes.count == 1 && causes[0].topologies.count > 1
    let lead =
      isEqual ? "Main's costliest counted work is equal: " : "Why: on main, "
    return "\(lead)\(clauses.joined(separator: "; "))"
      + (unnamed == 0
        ? "." : "; \(unnamed) more \(unnamed == 1 ? "topology does" : "topologies do") other work.")
  }

  private static let mostCauses = 6

  private static func work(_ cause: Conclusion.Cause) -> String {
    let isOne = cause.topologies.count == 1
    guard let work = MainWork(cause) else { return "\(isOne ? "does" : "do") none of this" }
    let count = Figures.count(cause.count)
    let things = cause.count == 1 ? String(work.things.dropLast()) : work.things
    return "\(isOne ? work.verbs.one : work.verbs.many) \(count) \(things)"
  }
}

/// The words for a counted work of main.
struct MainWork {
  let verbs: (one: String, many: String)
  let things: String
  /// In a column: `3,628 rows written`.
  let done: String

  /// Nil if main did none.
  init?(_ cause: Conclusion.Cause) {
    switch cause.metric {
    case .mainRowsWritten: self.init("writes", "write", "rows", "rows written")
    case .mainObjectsCopied: self.init("copies", "copy", "objects", "objects copied")
    case .mainRowsRead, .openRowsRead, .scrollRowsRead:
      self.init("reads", "read", "rows", "rows read")
    case .openStatements, .scrollStatements:
      self.init("executes", "execute", "statements", "statements executed")
    case .mainObjectsRefreshed: self.init("refreshes", "refresh", "objects", "objects refreshed")
    case .mainFaultsFired: self.init("fires", "fire", "faults", "faults fired")
    case .mainListChanges: self.init("makes", "make", "list changes", "list changes")
    default: return nil
    }
  }

  private init(_ one: String, _ many: String, _ things: String, _ done: String) {
    (verbs, self.things, self.done) = ((one, many), things, done)
  }
}
