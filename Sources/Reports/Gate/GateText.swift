import Measurement

extension GateReport {
  /// Plain text for a terminal.
  func text(style: TextStyle) -> String {
    let reports = ComparisonSentences.reports(comparison).flatMap { wrapped($0, style) }
    let reasons = lines.filter { $0.mark != .pass }.flatMap { line in
      wrapped("\(line.mark.rawValue): \(line.sentence).", style, indent: "  ")
    }
    let warnings = notes.flatMap { wrapped($0, style, indent: "  ") }
      .map { style.emphasised($0, .warning) }
    let table = table(style)?.lines(style: style) ?? []
    let blocks = [
      reports, table, passed.map { wrapped($0, style) } ?? [], reasons, warnings,
      wrapped(conclusion, style).map { style.emphasised($0, .bold) },
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  /// What is not listed because all is well.
  var passed: String? {
    let count = lines.count { !$0.isListed }
    guard count > 0 else { return nil }
    return "Not listed: \(Sentences.counted(count, "exact count")) that did not increase."
  }

  private func table(_ style: TextStyle) -> TextTable? {
    let listed = lines.filter(\.isListed)
    guard !listed.isEmpty else { return nil }
    func column(
      _ heading: String, numeric: Bool = true, stays: Bool = false, _ text: (GateLine) -> String
    ) -> TextTable.Column {
      TextTable.Column(
        heading: heading, cells: listed.map { cell(text($0), style) }, isNumeric: numeric,
        staysWithPrevious: stays)
    }
    let places = Set(listed.compactMap { $0.key.map(ComparisonSentences.place) })
    let place = column("scenario", numeric: false) {
      $0.key.map(ComparisonSentences.place) ?? ""
    }
    return TextTable(
      leading: [column("topology", numeric: false, \.topology)],
      columns: (places.count > 1 ? [place] : []) + [
        column("figure", numeric: false, stays: true, \.subject),
        column("baseline", \.baseline), column("candidate", stays: true, \.candidate),
        column("change", stays: true, \.change),
        column("verdict", numeric: false, stays: true) { $0.mark.rawValue },
      ],
      emphasisedRows: Set(listed.indices.filter { listed[$0].mark == .fail }))
  }

  private static let widestLine = 100
  private static let longestCell = 48

  private func cell(_ text: String, _ style: TextStyle) -> String {
    style.printable(text).shortened(to: Self.longestCell, mark: style.printable("…"))
  }

  private func wrapped(_ text: String, _ style: TextStyle, indent: String = "") -> [String] {
    let width = min(style.width ?? Self.widestLine, Self.widestLine) - indent.columns
    return style.printable(text).wrapped(to: width).enumerated().map { index, line in
      index == 0 ? line : indent + line
    }
  }
}
