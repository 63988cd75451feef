/// What `topobench list topologies` prints.
package enum TopologiesList {
  /// A topology in words; what nobody said is empty.
  package struct Entry: Sendable {
    package var name: String
    /// What stands beside the name: that it is a peer, or runs in one store mode only.
    package var marks: [String]
    /// Its wiring in one line.
    package var picture: String
    package var summary: String
    package var mainCosts: String
    package var chooseWhen: String
    /// What it refuses to do, and why; empty of most.
    package var refusals: String

    package init(
      name: String, marks: [String], picture: String, summary: String, mainCosts: String,
      chooseWhen: String, refusals: String = ""
    ) {
      self.name = name
      self.marks = marks
      self.picture = picture
      self.summary = summary
      self.mainCosts = mainCosts
      self.chooseWhen = chooseWhen
      self.refusals = refusals
    }
  }

  /// A paragraph each, in their order.
  package static func text(_ entries: [Entry], style: TextStyle) -> String {
    entries.map { paragraph($0, style).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func paragraph(_ entry: Entry, _ style: TextStyle) -> [String] {
    let marks = entry.marks.isEmpty ? "" : "  (\(entry.marks.joined(separator: "; ")))"
    let said = [
      ("does", entry.summary), ("on main", entry.mainCosts), ("choose", entry.chooseWhen),
      ("refuses", entry.refusals),
    ]
    return [
      style.emphasised(style.printable(entry.name), .bold) + style.printable(marks),
      indent + style.printable(entry.picture),
    ] + said.filter { !$0.1.isEmpty }.flatMap { lines($0.0, $0.1, style) }
  }

  /// A sentence beside its word, in as many lines as it takes.
  private static func lines(_ word: String, _ text: String, _ style: TextStyle) -> [String] {
    let margin = indent + word.padded(to: wordWidth, onLeft: false) + indent
    let room = style.width.map { max(20, min($0, widest) - margin.columns) }
    return style.printable(text).wrapped(to: room).enumerated().map { number, line in
      (number == 0 ? margin : String(repeating: " ", count: margin.columns)) + line
    }
  }

  private static let indent = "  "
  private static let wordWidth = "on main".columns
  /// Longer lines are hard to read.
  private static let widest = 120
}
