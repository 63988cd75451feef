import Judging
import Measurement

struct TopologiesPart {
  private let entries: [TopologiesList.Entry]

  init(of all: [TopologiesList.Entry], shown sides: [(role: Side?, side: PageSide)]) {
    let names = Set(sides.flatMap { $0.side.summary.cells.map(\.topology) })
    entries = all.filter { names.contains($0.name) }
  }

  var blocks: [Document.Block] {
    guard !entries.isEmpty else { return [] }
    let terms = entries.map { entry in
      let names = entry.knownAs.isEmpty ? "" : "\(entry.knownAs.joined(separator: "; ")). "
      return Document.Term(name: entry.name, text: names + entry.summary)
    }
    return [
      .section(
        "What the topologies are known as", .plain, id: "topologies",
        [.terms(terms, caption: "The names of Core Data, GRDB and libraries for each wiring")])
    ]
  }
}
