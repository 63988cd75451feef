import ObjectGraph
import TestSupport
import Testing
import Topologies

@Suite("Two workers of a topology")
struct TwoWritersTests {
  private static func batches(_ field: (Int) -> FieldChange) -> [[Change]] {
    stride(from: 1, through: 40, by: 3).map { first in
      (first..<min(41, first + 3)).map { .update(key: .int64(Int64($0)), fields: [field($0)]) }
    }
  }

  @Test(arguments: Variant.all)
  func `both workers' changes are kept, whoever saves first`(variant: Variant) async throws {
    let populations = Self.batches { FieldChange(index: 2, value: .int64(Int64(1000 + $0))) }
    let names = Self.batches { FieldChange(index: 1, value: .string("town \(200 + $0)")) }
    try await Bench.with(variant.topology, variant.mode, mergePolicy: .objectTrump) { bench in
      let topology = bench.topology
      async let renamed: Void = {
        for batch in names { try await topology.apply(batch, by: 1) }
      }()
      for batch in populations { try await topology.apply(batch, by: 0) }
      try await renamed
      try await topology.settle()
      let expected = (1...40).map { number in
        City.values(Int64(number), "town \(200 + number)", population: Int64(1000 + number))
      }
      let (stored, shown) = (try bench.stored(), bench.shown())
      #expect(stored == expected, "\(zip(stored, expected).filter { $0 != $1 })")
      #expect(shown == expected)
    }
  }
}
