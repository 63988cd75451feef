import DataModel
import Foundation
package import Support

/// A scenario for one data file, from its column names and values: all rows are deleted and
/// inserted again.
package struct ScenarioDraft {
  package let yaml: String
  /// A likely mistake in the file; nil if there is none.
  package let note: String?

  /// - Parameter name: the data file's path in the scenario.
  /// - Throws: an error of the file, or if no column tells its rows apart.
  package init(dataFile: String, name: String) throws(InputError) {
    let bytes = try FileContent.bytes(of: dataFile)
    let formats: [DataFormat] =
      DataFormat.auto.resolved(for: dataFile) == .json ? [.json] : [.comma, .semicolon, .tab]
    var found: DraftColumns?
    var problem: InputError?
    for format in formats {
      do throws(InputError) {
        let columns = try DraftColumns(bytes, file: dataFile, format: format)
        if columns.all.count > found?.all.count ?? 0 { found = columns }
      } catch {
        // The quotes of a file are misplaced if another separator divides it.
        problem = problem ?? error
      }
    }
    if found == nil, let problem { throw problem }
    try found?.check(dataFile)
    guard let found, let key = found.key else {
      throw InputError(
        .file(dataFile, line: 1),
        "no column of whole numbers, UUIDs or texts has another value in each row;"
          + " add one, such as a number, to be the key")
    }
    yaml = found.yaml(key: key, file: name)
    note = found.number.map {
      "\(dataFile):1: names the columns, and \($0.quoted) is a number; if this is a row, put a"
        + " header above it"
    }
  }

  /// The path of the scenario file beside a data file. Characters that a scenario's name may not
  /// hold become `_`.
  package static func scenarioFile(of dataFile: String) -> String {
    let name = URL(fileURLWithPath: dataFile).deletingPathExtension().lastPathComponent
    let letters = name.map { Scenario.isName(String($0)) ? $0 : "_" }
    return FileContent.path("\(String(letters)).yaml", relativeTo: dataFile)
  }
}

private struct DraftColumns {
  struct Column {
    let header: String
    var attribute: String
    /// The types that read every value so far; the preferred one first.
    var types: [AttributeType] = [.int64, .double, .uuid, .date, .bool, .string]
    var isOptional = false
    var distinct: Set<String> = []
  }

  private(set) var all: [Column] = []
  private let format: DataFormat
  private var rows = 0

  init(_ bytes: [UInt8], file: String, format: DataFormat) throws(InputError) {
    var layout = DataLayout()
    layout.format = format
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InputError) in
      try DraftColumns(DataFileReader(buffer, file: file, layout: layout, isQuoted: true))
    }
  }

  private init(_ reader: DataFileReader) throws(InputError) {
    var reader = reader
    format = reader.format
    guard try reader.next() else { throw reader.error("the file is empty; name the columns first") }
    for index in 0..<reader.fieldCount {
      let header = try reader.text(index) ?? ""
      all.append(Column(header: header, attribute: name(of: header)))
    }
    while try reader.next() {
      rows += 1
      // The check of the draft refuses a short row.
      for index in all.indices where index < reader.fieldCount {
        note(try reader.text(index, of: all[index].header) ?? "", at: index)
      }
    }
    guard rows > 0 else { throw reader.error("the file has no row; add one") }
  }

  private mutating func note(_ text: String, at index: Int) {
    guard !text.isEmpty else { return all[index].isOptional = true }
    all[index].types.removeAll {
      $0 == .double && Self.isCode(text)
        || $0 != .string && AttributeDescription("a", $0, isOptional: true).value(of: text) == nil
    }
    all[index].distinct.insert(text)
  }

  /// Whether a number would lose zeros or a sign in front: `00123`, `+41`.
  private static func isCode(_ text: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let bytes = text.utf8.prefix(3).drop { $0 == UInt8(ascii: "-") }
    guard text.utf8.first != UInt8(ascii: "+") else { return true }
    guard bytes.count > 1, bytes.first == digits.lowerBound else { return false }
    return digits.contains(bytes[bytes.index(after: bytes.startIndex)])
  }

  /// A name for SQLite and the model that no earlier column has.
  private func name(of header: String) -> String {
    let letters = header.map { AttributeDescription.isName("_\($0)") ? String($0) : "_" }.joined()
    var name = AttributeDescription.isName(letters) ? letters : "_\(letters)"
    while all.contains(where: { $0.attribute.lowercased() == name.lowercased() }) { name += "_" }
    return name
  }

  private var named: [Column] { all.filter { !$0.header.isEmpty } }

  /// As many columns as an entity may have.
  private static let most = 64

  /// Refuses columns that no scenario could have.
  func check(_ file: String) throws(InputError) {
    guard named.count <= Self.most else {
      throw InputError(
        .file(file, line: 1), "\(named.count) columns; a scenario takes \(Self.most). Remove some")
    }
    // Two spellings of `ö` in Unicode are one name, as in the scenario.
    var headers: Set<String> = []
    if let twice = named.first(where: { !headers.insert($0.header).inserted }) {
      throw InputError(
        .file(file, line: 1), "column \(twice.header.quoted) occurs twice; rename one of them")
    }
  }

  /// A column's name that may be a value of the first row.
  var number: String? {
    format == .json ? nil : named.first { Double(decimal: $0.header) != nil }?.header
  }

  /// Nil if no column tells the rows apart.
  var key: String? {
    let candidates = named.filter {
      [.int64, .uuid, .string].contains($0.types[0]) && !$0.isOptional && $0.distinct.count == rows
    }
    return (candidates.first { $0.types[0] != .string } ?? candidates.first)?.attribute
  }

  /// In quotes if YAML reads the name as another value.
  private static func quoted(_ name: String) -> String {
    let words = ["null", "true", "false", "yes", "no", "on", "off"]
    return words.contains(name.lowercased()) ? ParameterValue.text(name).json : name
  }

  func yaml(key: String, file: String) -> String {
    let attributes = named.map {
      "    \(Self.quoted($0.attribute)): \($0.types[0].rawValue)\($0.isOptional ? "?" : "")\n"
    }
    // A name that differs from its header is none of YAML's words.
    let renamed = named.filter { $0.attribute != $0.header }.map {
      "    \(ParameterValue.text($0.header).json): \($0.attribute)\n"
    }
    let sorted = named.first { $0.types[0] == .string && $0.attribute != key }?.attribute ?? key
    let isGuessed = DataFormat.auto.resolved(for: file) == format
    let file = ParameterValue.text(file).json
    return """
      # Made by `topobench scenario new`. `topobench scenario schema` describes every field.
      asks: How long does main stay blocked while all rows are deleted and inserted again?

      entity:
        name: Row
        # No two rows have the same value.
        key: \(Self.quoted(key))
        # int64, double, decimal, bool, string, date, data, uuid or uri; with ? it may be empty.
        attributes:
      \(attributes.joined())
      # Two files with different rows, and no `stream` below, measure an update.
      data:
        before: \(file)
        after: \(file)
      \(isGuessed ? "" : "  format: \(format)\n")\
      \(renamed.isEmpty ? "" : "  columns:\n" + renamed.joined())
      changes:
        stream: replace
        per_save: 500

      # The list on screen. -NAME is descending; [NAME localized] sorts as readers expect.
      list:
        sort: [\(Self.quoted(sorted))]

      smoke:
        data.rows: 60

      """
  }
}
