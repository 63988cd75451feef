import Foundation
import ObjectGraph
import Workload

/// The sections that a list's rows make, by the attribute that divides it.
struct ExpectedSections {
  private typealias Section = (name: String, range: Range<Int>)
  private var sections: [Section] = []

  /// - Parameter values: of the attribute, row by row.
  init(_ values: some Sequence<Value>, _ section: Scenario.List.Section) {
    for (index, value) in values.enumerated() {
      let name = Self.name(of: value, section)
      if let last = sections.last, last.name == name {
        sections[sections.count - 1].range = last.range.lowerBound..<index + 1
      } else {
        sections.append((name, index..<index + 1))
      }
    }
  }

  private static func name(of value: Value, _ section: Scenario.List.Section) -> String {
    switch (section, value) {
    case (.attribute, _): SectionKey.plainName(value)
    case (.month, .date(let date)):
      month(Int((date.timeIntervalSinceReferenceDate / 86400).rounded(.down)))
    case (.month, _): ""
    }
  }

  /// `2001-01` for day 0. Counts days, because the lists use a calendar.
  private static func month(_ daysSince2001: Int) -> String {
    var (year, days) = (2001, daysSince2001)
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    func length(_ year: Int) -> Int { isLeap(year) ? 366 : 365 }
    while days < 0 {
      year -= 1
      days += length(year)
    }
    while days >= length(year) {
      days -= length(year)
      year += 1
    }
    let months = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while days >= months[month] {
      days -= months[month]
      month += 1
    }
    return "\(year)-\(month < 9 ? "0" : "")\(month + 1)"
  }

  /// The first difference; nil if there is none.
  func difference(from found: [ListSection]) -> String? {
    guard found.count == sections.count else {
      return "the list on main has \(found.count) sections; its rows make \(sections.count)"
    }
    for (found, expected) in zip(found, sections)
    where found.name != expected.name || found.range != expected.range {
      return
        "the list on main has the section \(found.name.debugDescription) of rows \(found.range);"
        + " its rows make \(expected.name.debugDescription) of rows \(expected.range)"
    }
    return nil
  }
}
