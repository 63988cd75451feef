import DataModel
import Support

/// The form of a data file.
package enum DataFormat: String, CaseIterable, Sendable {
  /// By the file's suffix; commas if it is none of the others'.
  case auto
  case comma, semicolon, tab
  /// An array of objects, or objects one after another.
  case json

  func resolved(for file: String) -> DataFormat {
    guard self == .auto else { return self }
    let name = file.lowercased()
    func ends(in suffixes: String...) -> Bool { suffixes.contains { name.hasSuffix($0) } }
    if ends(in: ".json", ".jsonl", ".ndjson", ".geojson") { return .json }
    return ends(in: ".tsv", ".tab") ? .tab : .comma
  }

  /// Nil if the form has none.
  var separator: UInt8? {
    switch self {
    case .auto, .json: nil
    case .comma: UInt8(ascii: ",")
    case .semicolon: UInt8(ascii: ";")
    case .tab: UInt8(ascii: "\t")
    }
  }
}

/// The form of an entity's data files, and the names of their columns.
package struct DataLayout: Sendable, Equatable {
  /// Where the scenario file describes them: `data`, or `others.Ward`.
  var path = "data"
  var format = DataFormat.auto
  /// Attributes and references, by the names of their columns.
  var columns: [String: String] = [:]
  /// Other columns of which no note is made.
  var ignored: Set<String> = []

  /// The column's name in the files.
  func name(of column: String) -> String {
    columns.first { $0.value == column }?.key ?? column
  }
}

extension DataLayout {
  static let formatMeaning =
    "The files' form. `auto`: by the suffix `.tsv`, `.json` or `.jsonl`, else commas. `json`: an array of objects, or an object a line."
  static let columnsMeaning =
    "Columns whose names differ from those of their attributes or references."
  static let ignoreMeaning = "Columns that are left out without a note."

  /// What influences the rows and is not at its default.
  var parameters: [ParameterValue.Pair] {
    var pairs: [ParameterValue.Pair] = []
    if format != .auto { pairs.append(.init(name: "format", value: .text(format.rawValue))) }
    guard !columns.isEmpty else { return pairs }
    let names = columns.sorted { $0.key < $1.key }.map { name, column in
      ParameterValue.Pair(name: name, value: .text(column))
    }
    return pairs + [.init(name: "columns", value: .mapping(names))]
  }

  /// - Throws: an error if a column leads nowhere, or two lead to one attribute.
  func check(
    _ entity: RowDescription, wrong: (_ key: String, _ message: String) -> InputError
  ) throws(InputError) {
    let known = entity.columns.map(\.name)
    for (name, column) in columns.sorted(by: { $0.key < $1.key }) {
      guard known.contains(column) else {
        let hint = NearestName.hint(for: column, in: known)
        throw wrong(
          "columns",
          "\(name.quoted) leads to \(column.quoted), which \(entity.name) does not have.\(hint)"
            + " Known: \(known.joined(separator: ", ").short)")
      }
      guard columns.values.count(where: { $0 == column }) == 1 else {
        throw wrong("columns", "two columns lead to \(column.quoted); keep one of them")
      }
    }
    if let used = known.map(name).first(where: ignored.contains) {
      throw wrong(
        "ignore", "\(used.quoted) is a column of \(entity.name); remove it from one place")
    }
  }
}

extension [ParameterValue.Pair] {
  /// The texts among the values, by name.
  var texts: [String: String] {
    reduce(into: [:]) { texts, pair in
      if case .text(let text) = pair.value { texts[pair.name] = text }
    }
  }
}
