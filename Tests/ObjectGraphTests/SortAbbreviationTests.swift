import Foundation
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Sort abbreviations")
struct SortAbbreviationTests {
  static let values: [[Value]] = [
    [Int64.min, -5, -1, 0, 1, 255, 256, .max].map { .int64($0) },
    [-Double.infinity, -1e300, -1, -1e-300, -0.0, 0, 1e-300, 1, 2.5, .infinity].map { .double($0) },
    ["", "\u{0}", "A", "Agra", "Agra\u{0}", "Aachen-West", "Aachen-Wesu", "ä", "日本", "z"]
      .map { .string($0) },
    [Data(), Data([0]), Data([0, 0, 1]), Data([255]), Data(repeating: 7, count: 20)]
      .map { .data($0) },
    [Date(timeIntervalSinceReferenceDate: -1), Date(timeIntervalSinceReferenceDate: 1)]
      .map { .date($0) },
    [false, true].map { .bool($0) },
    [-1e30, -2.5, -0.1, 0, 0.1, 19.99, 1e30].map { .decimal($0) },
    [UUID(0, 0), UUID(0, 1), UUID(1, 0), UUID(1 << 63, 0), UUID(.max, .max)].map { .uuid($0) },
    ["a:b", "a:b/c", "https://a", "https://b"].map { .uri($0) },
  ]

  @Test(arguments: values, [true, false])
  func `an abbreviation never contradicts the order of its values`(
    values: [Value], isAscending: Bool
  ) {
    for comparison in TextComparison.allCases {
      let term = SortTerm(0, isAscending: isAscending).localized(comparison)
      for a in values + [.null] {
        for b in values + [.null] {
          let order = [term].order([a], [b])
          let (first, second) = (term.abbreviation(of: [a]), term.abbreviation(of: [b]))
          if order < 0 { #expect(first <= second, "\(a) and \(b)") }
          if order == 0 { #expect(first == second, "\(a) and \(b)") }
          if order > 0 { #expect(first >= second, "\(a) and \(b)") }
        }
      }
    }
  }
}
