extension [String] {
  package var shellCommand: String {
    map { word in
      word.wholeMatch(of: /[A-Za-z0-9_.,:=\/+@%-]+/) != nil
        ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }.joined(separator: " ")
  }
}
