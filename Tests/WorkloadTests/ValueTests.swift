import DataModel
import Foundation
import Support
import Testing

@testable import Workload

struct ValueTests {
  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  @Test func `texts that look alike but have different bytes are not equal`() {
    #expect(Self.composed == Self.decomposed, "to Swift they are one text")
    #expect(Value.string(Self.composed) != .string(Self.decomposed))
    #expect(Value.string(Self.composed) == .string("caf" + "\u{E9}"))
    #expect(Set([Value.string(Self.composed), .string(Self.decomposed)]).count == 2)
  }

  @Test func `values of different types are not equal`() {
    let values: [Value] = [
      .null, .int64(1), .double(1), .bool(true), .string("1"), .date(secondsSince2001: 1),
      .data(Data("1".utf8)), .decimal(1), .uuid(UUID(0, 1)), .uri("1"),
    ]
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
    }
  }

  @Test func `null comes first, numbers by value, texts by bytes`() {
    #expect(Value.null < .int64(.min))
    #expect(Value.null < .string(""))
    #expect(Value.int64(-2) < .int64(10))
    #expect(Value.double(-0.5) < .double(0.25))
    #expect(Value.bool(false) < .bool(true))
    #expect(!(Value.bool(true) < .bool(true)))
    #expect(Value.date(secondsSince2001: -1) < .date(secondsSince2001: 1))
    #expect(Value.data(Data([1])) < .data(Data([1, 0])))
    #expect(Value.decimal(-19.99) < .decimal(0.1))
    #expect(Value.uuid(UUID(1, 0)) < .uuid(UUID(1 << 63, 0)))
    #expect(Value.uri("a:b") < .uri("a:b/"))
    // "Z" is 5A, "a" is 61, "é" is C3 A9, "中" is E4 B8 AD, "😀" is F0 9F 98 80.
    let texts = ["", "Z", "a", "aa", "é", "中", "\u{FFFD}", "😀"]
    #expect(texts.reversed().sorted { Value.string($0) < .string($1) } == texts)
  }
}

struct StoredDecimalTests {
  @Test func `decimals keep fifteen digits and are rounded to them`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let digits = Decimal(random.next(below: 1_999_999_999_999_999) - 999_999_999_999_999)
      let exponent = random.next(below: 201) - 100
      let sign: FloatingPointSign = digits < 0 ? .minus : .plus
      let decimal = Decimal(sign: sign, exponent: exponent, significand: digits.magnitude)
      #expect(StoredDecimal(decimal).decimal == decimal, "seed \(seed)")
    }
    let long = try #require(Decimal(string: "12345678901234567.89"))
    #expect(StoredDecimal(long).decimal == 12_345_678_901_234_600)
    #expect(StoredDecimal(Decimal(19.99)).number == 19.99)
    #expect(StoredDecimal(.nan).number.isNaN)
  }

  /// Rows are arrays of values, so a larger value would cost every type.
  @Test func `a value takes seventeen bytes`() {
    #expect(MemoryLayout<Value>.size == 17)
    #expect(MemoryLayout<Value?>.size == 17)
  }
}

struct ListOrderTests {
  static func rows(_ texts: [(Int64, String?)]) -> [Row] {
    texts.map { [.int64($0.0), $0.1.map(Value.string) ?? .null] }
  }

  static func keys(_ rows: [Row], _ order: ListOrder) -> [Value] {
    rows.sorted { order.isOrdered($0, before: $1) }.map { $0[0] }
  }

  @Test func `equal rows are in the order of their keys`() {
    let order = ListOrder([.init(attribute: 1)], keyIndex: 0)
    let rows = Self.rows([(9, "b"), (3, "a"), (7, nil), (2, "b"), (1, "a")])
    #expect(Self.keys(rows, order) == [7, 1, 3, 2, 9].map(Value.int64))
  }

  @Test func `a descending term reverses its values, not the keys`() {
    let order = ListOrder([.init(attribute: 1, isDescending: true)], keyIndex: 0)
    let rows = Self.rows([(9, "b"), (3, "a"), (7, nil), (2, "b"), (1, "a")])
    #expect(Self.keys(rows, order) == [2, 9, 1, 3, 7].map(Value.int64))
  }

  @Test func `a localized term sorts as readers expect`() {
    let order = ListOrder([.init(attribute: 1, comparison: .localized)], keyIndex: 0)
    let rows = Self.rows([(1, "Zebra"), (2, "file10"), (3, "file2"), (4, "Äpfel"), (5, nil)])
    #expect(Self.keys(rows, order) == [5, 4, 3, 2, 1].map(Value.int64))
  }

  @Test func `the key is added once`() {
    let order = ListOrder([.init(attribute: 0, isDescending: true)], keyIndex: 0)
    #expect(order.terms == [.init(attribute: 0, isDescending: true)])
    #expect(ListOrder([], keyIndex: 2).terms == [.init(attribute: 2)])
  }
}
