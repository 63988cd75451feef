extension String {
  /// The width on a terminal, in columns.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  func padded(to width: Int, onLeft: Bool) -> String {
    let spaces = String(repeating: " ", count: max(0, width - columns))
    return onLeft ? spaces + self : self + spaces
  }

  /// At most `width` columns. A cut text ends with the mark, if that has room.
  func shortened(to width: Int, mark: String) -> String {
    guard columns > width else { return self }
    let mark = mark.columns < width ? mark : ""
    var result = ""
    var room = width - mark.columns
    for character in self {
      room -= String(character).columns
      guard room >= 0 else { break }
      result.append(character)
    }
    return result + mark
  }

  var withoutTrailingSpaces: String {
    var result = Substring(self)
    while result.last == " " { result.removeLast() }
    return String(result)
  }

  /// Lines of at most `width` columns, broken between words. A longer word has its own line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var (line, columns) = ("", 0)
    for word in split(separator: " ") {
      let wordColumns = String(word).columns
      if !line.isEmpty, columns + 1 + wordColumns > width {
        lines.append(line)
        (line, columns) = ("", 0)
      }
      columns += wordColumns + (line.isEmpty ? 0 : 1)
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }
}
