extension String {
  var words: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  func isFailing(_ topology: String) -> Bool {
    split(separator: "\n").contains {
      $0.hasPrefix("\(topology) ") && $0.contains(" main_blocked_ms ") && $0.contains(" fail")
    }
  }
}
