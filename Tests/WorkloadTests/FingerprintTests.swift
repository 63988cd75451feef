import DataModel
import Support
import Foundation
import Testing

@testable import Workload

struct FingerprintTests {
  static let rows: [Row] = (0..<200).map {
    [.int64($0), .string("city \($0)"), .double(Double($0) / 7), $0 % 3 == 0 ? .null : .bool(true)]
  }

  @Test func `the order of the rows does not matter`() {
    let whole = Fingerprint(Self.rows)
    for seed in 0..<20 as Range<UInt64> {
      var rows = Self.rows
      var random = SplitMix64(seed: seed)
      random.shuffle(&rows)
      #expect(Fingerprint(rows) == whole, "seed \(seed)")
    }
  }

  @Test func `one different value changes the fingerprint`() {
    var seen: Set<String> = [Fingerprint(Self.rows).hex]
    for index in Self.rows.indices {
      for attribute in 0..<4 {
        var rows = Self.rows
        rows[index][attribute] = .string("lost")
        seen.insert(Fingerprint(rows).hex)
      }
    }
    #expect(seen.count == 1 + 4 * Self.rows.count)
  }

  @Test func `an extra or missing row changes the fingerprint, even a pair of equal ones`() {
    let whole = Fingerprint(Self.rows)
    #expect(Fingerprint(Self.rows.dropLast()) != whole)
    #expect(Fingerprint(Self.rows + [Self.rows[3]]) != whole)
    #expect(Fingerprint(Self.rows + [Self.rows[3], Self.rows[3]]) != whole)
    #expect(Fingerprint([]).hex != Fingerprint([[]]).hex)
  }

  @Test func `two rows that exchange a value change the fingerprint`() {
    var rows = Self.rows
    (rows[1][1], rows[2][1]) = (rows[2][1], rows[1][1])
    #expect(Fingerprint(rows) != Fingerprint(Self.rows))
  }

  @Test func `types, null and the empty text differ`() {
    let values: [Value] = [
      .null, .int64(0), .double(0), .bool(false), .string(""), .date(secondsSince2001: 0),
      .data(Data()),
      .int64(1), .double(1), .bool(true), .string("\0"), .string("\0\0"), .data(Data([0])),
      .decimal(0), .decimal(1), .uuid(UUID(0, 0)), .uuid(UUID(0, 1)), .uri(""), .uri("\0"),
      .string("abcdefgh"), .string("abcdefgh\0"), .string("caf\u{E9}"), .string("cafe\u{301}"),
    ]
    #expect(Set(values.map { Fingerprint([[$0]]).hex }).count == values.count)
    let shifted: [[Row]] = [[["ab", "c"]], [["a", "bc"]], [["abc", ""]], [["abc"]]].map {
      $0.map { Row($0.map(Value.string)) }
    }
    #expect(Set(shifted.map { Fingerprint($0).hex }).count == shifted.count)
  }

  @Test func `minus zero equals zero, as in SQLite`() {
    #expect(Fingerprint([[.double(-0.0)]]) == Fingerprint([[.double(0)]]))
  }

  @Test func `adding row by row gives the same pinned text`() {
    var fingerprint = Fingerprint()
    for row in Self.rows { fingerprint.add(row) }
    #expect(fingerprint == Fingerprint(Self.rows))
    #expect(fingerprint.rowCount == 200)
    #expect(fingerprint.hex == "a53badbd4c6e6fe3")
  }

  @Test func `hashes of keys that differ in one bit spread over all bits`() {
    let hashes = (0..<4096 as Range<Int64>).map { Fingerprint([[.int64($0)]]).hex }
    #expect(Set(hashes).count == 4096)
    for position in [0, 7, 15] {
      let digits = Dictionary(grouping: hashes) { Array($0)[position] }
      // 256 expected each; 7 standard deviations are 108.
      #expect(digits.count == 16 && digits.values.allSatisfy { (148...364).contains($0.count) })
    }
  }
}
