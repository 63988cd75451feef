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
  /// `5000-cities, pool store, {"changes.per_save":50}`
  package var place: String {
    let parameters = parameters.isEmpty ? "" : ", \(parameters.brief)"
    return "\(scenario.brief), \(store.brief) store\(parameters)"
  }
}

extension Set<String> {
  var names: String { sorted().map(\.brief).cut() }
}
