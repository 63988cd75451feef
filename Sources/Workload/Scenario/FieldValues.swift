import DataModel
import Support

/// Every field has one value, of the right kind and within bounds.
struct FieldValues {
  let file: String
  let model: ScenarioModel
  let others: [OtherRowsDescription]
  /// Where each field is set, or where it belongs.
  let origins: [String: InputError.Origin]
  /// The fields with a value in the file, in its device's profile or in an override. The others
  /// have their default.
  let given: Set<String>
  /// In the documentation's order.
  private(set) var all: [(path: String, value: ParameterValue)] = []
  private(set) var parameters: [ParameterValue.Pair] = []
  private(set) var fields: [String: ParameterValue] = [:]

  mutating func add(_ path: String, _ value: ParameterValue, isParameter: Bool) {
    all.append((path, value))
    fields[path] = value
    if isParameter { parameters.append(.init(name: path, value: value)) }
  }

  func error(_ path: String, _ message: String) -> InputError {
    InputError(origins[path] ?? .file(file, line: nil), field: path, message)
  }

  /// The path of a file that a field names relative to the scenario file.
  func existingFile(
    _ name: String, wrong: (_ message: String) -> InputError
  ) throws(InputError) -> String {
    let path = FileContent.path(name, relativeTo: file)
    if let problem = FileContent.problemReading(path) {
      throw wrong("\(problem): \(path); the path is relative to the scenario file")
    }
    return path
  }

  func index(
    of name: String, in attributes: [AttributeDescription], for path: String
  ) throws(InputError) -> Int {
    if let index = attributes.firstIndex(where: { $0.name == name }) { return index }
    let known = attributes.map(\.name)
    let hint = NearestName.hint(for: name, in: known)
    throw error(
      path, "unknown attribute \(name.quoted).\(hint) Known: \(known.joined(separator: ", ").short)"
    )
  }

  // Decoding has checked the kind of every value, so another kind here is a bug in this module.

  subscript(path: String) -> ParameterValue {
    guard let value = fields[path] else { preconditionFailure("no field '\(path)'") }
    return value
  }

  func text(_ path: String) -> String {
    guard case .text(let text) = self[path] else { preconditionFailure("'\(path)' is no text") }
    return text
  }

  /// Nil for `none`.
  func predicate(_ path: String) -> String? {
    let text = text(path)
    return text == "none" ? nil : text
  }

  func texts(_ path: String) -> [String] {
    guard case .list(let items) = self[path] else { preconditionFailure("'\(path)' is no list") }
    return items.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  func mapping(_ path: String) -> [String: String] {
    guard case .mapping(let pairs) = self[path] else {
      preconditionFailure("'\(path)' is no mapping")
    }
    return pairs.texts
  }

  /// Nil if the value is a word for a special case.
  func integer(_ path: String) -> Int? {
    if case .integer(let value) = self[path] { value } else { nil }
  }

  func number(_ path: String) -> Double {
    switch self[path] {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: preconditionFailure("'\(path)' is no number")
    }
  }

  func choice<Choice: RawRepresentable<String>>(_ path: String) -> Choice {
    guard let choice = Choice(rawValue: text(path)) else {
      preconditionFailure("'\(path)' allows '\(text(path))', which is no \(Choice.self)")
    }
    return choice
  }
}

extension [String: InputError.Origin] {
  /// The origin of the path, or of the nearest that encloses it: `others` for `others.List`.
  func nearest(to path: String) -> InputError.Origin? {
    var place = path[...]
    while self[String(place)] == nil, let end = place.lastIndex(where: { ".[".contains($0) }) {
      place = place[..<end]
    }
    return self[String(place)]
  }
}
