package enum NearestName {
  /// The candidate with the fewest single-letter edits, ignoring case; else the shortest one that
  /// begins with the name, or ends with it after a hyphen.
  ///
  /// - Returns: nil if the best one needs more than two edits and more than a third of the name, or
  ///   if the name has over 100 letters: a search would take long, and it is no misspelt name.
  package static func closest(to name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.prefix(longest + 1).lowercased())
    guard wanted.count <= longest else { return nil }
    let reach = max(2, wanted.count / 3)
    let most = min(reach, max(wanted.count, 2) - 1)
    let measured = candidates.map { name -> (edits: Int, name: String) in
      let letters = Array(name.prefix(wanted.count + reach + 1).lowercased())
      return (edits(from: wanted, to: letters), name)
    }
    let best = measured.filter { $0.edits <= most }.min { $0 < $1 }
    return best?.name ?? shortest(with: String(wanted), in: candidates)
  }

  private static let longest = 100

  private static func shortest(with part: String, in candidates: some Sequence<String>) -> String? {
    guard part.count > 2 else { return nil }
    return candidates.filter { $0.lowercased().hasPrefix(part) || $0.hasSuffix("-\(part)") }
      .min { ($0.count, $0) < ($1.count, $1) }
  }

  /// ` Did you mean 'x'?` to follow a sentence, or nothing.
  package static func hint(for name: String, in candidates: some Sequence<String>) -> String {
    closest(to: name, in: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
  static func edits(from a: [Character], to b: [Character]) -> Int {
    var beforeLast = [Int]()
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
