import Foundation
import ObjectGraph

/// Sections by month, as Apple's sample DateSectionTitles computes them in a managed object.
enum MonthSection {
  /// Year · 1000 + month; null without a date.
  static func key(of value: Value, _ calendar: Calendar) -> Value {
    guard case .date(let date) = value else { return .null }
    let parts = calendar.dateComponents([.year, .month], from: date)
    return .int64(Int64((parts.year ?? 0) * 1000 + (parts.month ?? 0)))
  }

  /// `2024-03`; empty without a date.
  static let name: SectionKey.Name = { key in
    guard case .int64(let number) = key else { return "" }
    let month = String(number % 1000)
    return "\(number / 1000)-\(month.count < 2 ? "0" : "")\(month)"
  }
}

extension Calendar {
  static var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}
