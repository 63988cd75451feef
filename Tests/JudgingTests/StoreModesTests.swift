import Judging
import Measurement
import MeasurementSamples
import Testing

struct StoreModesTests {
  private let six = [10.0, 11, 12, 13, 14, 15]

  private func stores(_ pool: [String], _ serial: [String]) -> Summary {
    Summary(
      cells: [("pool", pool), ("serial", serial)].flatMap { store, topologies in
        topologies.enumerated().flatMap { index, topology in
          six.enumerated().map { trial, value in
            CellResult.sample(
              topology, trial: trial, blocked: value * Double(index + 1) * 3, store: store)
          }
        }
      })
  }

  private func rows(_ summary: Summary) -> [String] {
    summary.sections.map { section in
      "\(section.store): "
        + section.topologies.map { "\($0.label) \($0.letters)" }
        .joined(separator: ", ")
    }
  }

  @Test func `a store mode without a common topology joins the larger section as marked rows`() {
    #expect(rows(stores(["a", "b"], ["q"])) == ["pool: a A, q (serial) A, b B"])
    #expect(rows(stores(["a"], ["q", "r"])) == ["serial: a (pool) A, q A, r B"])
    // Of equally large ones the pool.
    #expect(rows(stores(["a"], ["q"])) == ["pool: a A, q (serial) A"])
  }

  @Test func `a store mode with a common topology keeps its section`() {
    #expect(rows(stores(["a", "b"], ["a", "q"])) == ["pool: a A, b B", "serial: a A, q B"])
  }

  @Test func `a sweep joins stores too, and a comparison does not`() throws {
    let cells = ["1", "2"].flatMap { value in
      SweepTests.cells("a", value, 10) + SweepTests.cells("b", value, 20)
        + SweepTests.cells("q", value, 30).map { cell in
          var cell = cell
          cell.store = "serial"
          return cell
        }
    }
    let summary = Summary(cells: cells)
    let sweep = try #require(summary.sweeps.first)
    #expect(summary.sweeps.count == 1 && summary.sections.map(\.store) == ["pool", "pool"])
    #expect(sweep.store == "pool" && sweep.label("q") == "q (serial)" && sweep.label("a") == "a")
    #expect(sweep.points[0].ranking.places.map(\.letters) == ["A", "B", "C"])
    let apart = Summary(cells: cells, joinsStores: false)
    #expect(apart.sections.map(\.store) == ["pool", "pool", "serial", "serial"])
    #expect(apart.sweeps.map(\.store) == ["pool", "serial"])
  }
}
