package enum Figures {
  /// Three significant digits, but none finer than a thousandth: `0.123`, `12.3`, `123`, `12,300`.
  package static func short(_ value: Double) -> String {
    let size = abs(value)
    if size > 0, size < 0.0005 { return value < 0 ? "-<0.001" : "<0.001" }
    guard size >= 999.5 else { return fixed(value, digits: fractionDigits(size)) }
    var unit = 10.0
    while size / unit >= 999.5 { unit *= 10 }
    return fixed((value / unit).rounded() * unit, digits: 0)
  }

  /// As `short`, with more digits where it would lie on another side of a limit: beside 16.7,
  /// `16.7` and `16.72`.
  package static func distinct(_ value: Double, from limits: [Double]) -> String {
    let usual = short(value)
    // A median of two decimals may differ from a limit by less than a nanosecond.
    let value = (value * 1e6).rounded() / 1e6
    func isOnItsSide(_ text: String) -> Bool {
      let shown = Double(text.filter { $0 != "," }) ?? value
      return limits.allSatisfy { ($0 < shown, $0 > shown) == ($0 < value, $0 > value) }
    }
    if isOnItsSide(usual) { return usual }
    let digits = abs(value) < 999.5 ? fractionDigits(abs(value)) : 0
    return (digits...6).lazy.map { fixed(value, digits: $0) }.first(where: isOnItsSide) ?? usual
  }

  /// Exact counts are whole. A median of frames or gaps may have a decimal.
  package static func count(_ value: Double) -> String {
    fixed(value, digits: value == value.rounded() ? 0 : 1)
  }

  /// `1,826`
  package static func whole(_ value: Int) -> String {
    fixed(Double(value), digits: 0)
  }

  /// Without rounding: `16.7`, `99`.
  package static func plain(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  /// `3.1 %`
  package static func percent(_ share: Double) -> String {
    let value = share * 100
    return fixed(value, digits: abs(value) < 9.95 && value != value.rounded() ? 1 : 0) + " %"
  }

  /// `12 % longer`, `1.6 times as long`
  package static func comparison(_ ratio: Double) -> String {
    ratio < 1.5 ? "\(percent(ratio - 1)) longer" : "\(short(ratio)) times as long"
  }

  /// `1 cell`, `3,000 cells`
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(whole(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `48 s`, `2 min 20 s`, `1 h 5 min`
  package static func length(_ time: Duration) -> String {
    let seconds = Int(time / .seconds(1))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  /// Pads the numbers at the right, so that their decimal points align in a right-aligned column.
  package static func aligned(_ numbers: [String]) -> [String] {
    let tails = numbers.map { number in
      number.firstIndex(of: ".").map { number.distance(from: $0, to: number.endIndex) } ?? 0
    }
    let longest = tails.max() ?? 0
    return zip(numbers, tails).map { $0 + String(repeating: " ", count: longest - $1) }
  }

  private static func fractionDigits(_ size: Double) -> Int {
    // Rounding may add a digit before the point, so one digit fewer follows it.
    if size == 0 || size >= 99.95 { return 0 }
    if size >= 9.995 { return 1 }
    return size >= 0.9995 ? 2 : 3
  }

  private static func fixed(_ value: Double, digits: Int) -> String {
    let scale = [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000][digits]
    guard let scaled = Int(exactly: (value * scale).rounded()) else { return "\(value)" }
    let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return sign + grouped(whole) }
    let text = String(fraction)
    return sign + grouped(whole) + "." + String(repeating: "0", count: digits - text.count) + text
  }

  private static func grouped(_ value: UInt) -> String {
    var result = ""
    let digits = String(value)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    return result
  }
}

extension Figures {
  /// `a, b and c in chat, pool store; d in 5000-cities, pool store and 3 more`
  package static func listed(
    _ all: [(text: String, place: String)], most: Int = 5
  ) -> String {
    let groups = all.prefix(most).grouped { $0.place }.map { place, group in
      "\(group.map { $0.text }.listed) in \(place)"
    }
    let more = all.count > most ? " and \(all.count - most) more" : ""
    return groups.joined(separator: "; ") + more
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  package var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }

  /// `a, b and 3 more`
  package func cut(most: Int = 5) -> String {
    guard count > most else { return joined(separator: ", ") }
    return "\(prefix(most).joined(separator: ", ")) and \(count - most) more"
  }
}

extension String {
  /// At most 60 characters, so that a message stays one line.
  package var brief: String { count > 60 ? String(prefix(59)) + "…" : self }
}

extension CellKey {
  /// `5000-cities, pool store, changes.per_save 50`
  package var place: String {
    let setting = SweptParameters.text(parameters).brief
    return "\(scenario.brief), \(store.brief) store\(setting.isEmpty ? "" : ", \(setting)")"
  }
}

extension Set<String> {
  var names: String { sorted().map(\.brief).cut() }
}
