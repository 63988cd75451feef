import Measurement

// The section that shows each topology, in each setting:
//
//   cells in pool    cells in serial    sections
//   a  b             a  b               pool: a, b         serial: a, b
//   a  b             grdb-queue         pool: a, b, grdb-queue (serial)
//
// If no topology of a store mode was measured in another, the mode's cells join the section with
// the most topologies; of equally large ones, that of the pool.

package struct StoreModes {
  /// The joined section of each key without a topology.
  private var joined: [CellKey: CellKey] = [:]

  package init(_ keys: some Sequence<CellKey>) {
    let sections = Dictionary(grouping: Set(keys)) { $0.with(topology: "") }
    for modes in Dictionary(grouping: sections.keys, by: { $0.with(store: "") }).values {
      guard modes.count > 1,
        let home = modes.max(by: { Self.size($0, sections) < Self.size($1, sections) })
      else { continue }
      func topologies(_ section: CellKey) -> [String] {
        sections[section, default: []].map(\.topology)
      }
      for section in modes where section != home {
        let others = Set(modes.filter { $0 != section }.flatMap(topologies))
        if others.isDisjoint(with: topologies(section)) { joined[section] = home }
      }
    }
  }

  private static func size(_ section: CellKey, _ sections: [CellKey: [CellKey]]) -> (
    Int, Int, String
  ) {
    (sections[section, default: []].count, section.store == "pool" ? 1 : 0, section.store)
  }

  /// The key, without a topology, of the section that shows these cells.
  package func section(of key: CellKey) -> CellKey {
    let own = key.with(topology: "")
    return joined[own] ?? own
  }
}
