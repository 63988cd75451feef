package import Judging

extension Phrases {
  /// Names costs beside main's time. Nil unless a topology costs much.
  package static func background(_ section: SummarySection) -> String? {
    let costs = BackgroundCosts(section)
    let sentences = [statements(costs), largeWALs(costs)].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private static func statements(_ costs: BackgroundCosts) -> String? {
    guard !costs.statements.isEmpty, let fewest = costs.fewest else { return nil }
    let names = few(costs.statements.map { "\(brief($0.topology)) (\(count($0)))" })
    return "Off main, the workers of \(names) run over"
      + " \(Figures.plain(BackgroundCosts.manyStatements.times)) times as many SQL statements as"
      + " those of \(brief(fewest.topology)) (\(count(fewest))): that takes time and energy."
  }

  /// Half a statement is the mean of two repeats.
  private static func count(_ count: BackgroundCosts.Count) -> String {
    Figures.count(count.value.rounded(.down))
  }

  private static func largeWALs(_ costs: BackgroundCosts) -> String? {
    guard !costs.largeWALs.isEmpty else { return nil }
    let names = costs.largeWALs.map { "\(brief($0.topology)) (\(Figures.short($0.value)) MiB)" }
    return "The WAL grows over \(Figures.plain(BackgroundCosts.largeWAL)) MiB with \(few(names)):"
      + " that space stays taken on disk until the store is closed."
  }
}
