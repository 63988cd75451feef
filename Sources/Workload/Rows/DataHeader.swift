import DataModel
import Support

/// The columns of an entity in a data file: its first line, or the names in its JSON objects.
struct DataHeader {
  let count: Int
  /// For each column of the entity, its index in the file.
  let indexes: [Int]
  /// The file's other columns, without those that the scenario ignores.
  let unused: [String]

  init(_ reader: inout DataFileReader, _ entity: RowDescription) throws(InputError) {
    let names = try Self.names(&reader, entity)
    let wanted = entity.columns.map { reader.layout.name(of: $0.name) }
    let used = names.filter(wanted.contains)
    if let twice = used.first(where: { name in used.count { $0 == name } > 1 }) {
      throw reader.error("column \(twice.quoted) occurs twice; rename one of them")
    }
    count = names.count
    unused = names.filter {
      !$0.isEmpty && !wanted.contains($0) && !reader.layout.ignored.contains($0)
    }
    var indexes: [Int] = []
    for (column, name) in zip(entity.columns, wanted) {
      guard let index = names.firstIndex(of: name) else {
        let mistake = DataHeaderMistake(reader, entity)
        throw mistake.error ?? mistake.error(missing: column.name, used: used, unused: unused)
      }
      indexes.append(index)
    }
    self.indexes = indexes
  }

  private static func names(
    _ reader: inout DataFileReader, _ entity: RowDescription
  ) throws(InputError) -> [String] {
    do throws(InputError) {
      guard try reader.next() else {
        throw reader.error("the file is empty; the first line names the columns")
      }
      var names: [String] = []
      for index in 0..<reader.fieldCount { names.append(try reader.text(index) ?? "") }
      return names
    } catch {
      throw DataHeaderMistake(reader, entity).error ?? error
    }
  }
}

/// Finds out why a file's first line does not name the columns.
struct DataHeaderMistake {
  private let reader: DataFileReader
  private let entity: RowDescription

  init(_ reader: DataFileReader, _ entity: RowDescription) {
    self.reader = reader
    self.entity = entity
  }

  private var known: [String] { entity.columns.map { reader.layout.name(of: $0.name) } }

  /// Nil if the file seems to be text in the expected form.
  var error: InputError? {
    guard !reader.isJSON else { return nil }
    if reader.bytes.starts(with: [0xFF, 0xFE]) || reader.bytes.starts(with: [0xFE, 0xFF]) {
      return first("is UTF-16; convert the file by: iconv -f UTF-16 -t UTF-8 FILE > NEW")
    }
    let start = reader.bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if let start, [UInt8(ascii: "["), UInt8(ascii: "{")].contains(start) {
      return first("is JSON; name the file .json, or " + setting("format: json"))
    }
    let line = reader.bytes.prefix(Self.longestLine).prefix { $0 != 0x0A }
    if line.dropLast().contains(0x0D) {
      return first(#"lines end in CR alone; convert the file by: tr '\r' '\n' < FILE > NEW"#)
    }
    return otherSeparator(in: String(decoding: line, as: UTF8.self)).map {
      first("a \($0) separates the columns; " + setting("format: \($0)"))
    }
  }

  private static let longestLine = 1 << 16

  private func otherSeparator(in line: String) -> DataFormat? {
    [DataFormat.comma, .semicolon, .tab].first { format in
      guard format != reader.format, let separator = format.separator else { return false }
      let parts = line.utf8.split(separator: separator, omittingEmptySubsequences: false)
      let names = parts.map { Substring($0).trimming("\"\r") }
      return parts.count > 1 && names.contains(where: known.contains)
    }
  }

  /// - Parameter used: the columns that the file does have.
  func error(missing column: String, used: [String], unused: [String]) -> InputError {
    let name = reader.layout.name(of: column)
    let kind =
      name != column
      ? "\(reader.layout.path).columns names it"
      : "\(entity.name) has it as "
        + (entity.attributes.contains { $0.name == column } ? "an attribute" : "a reference")
    // A scenario may name a private file of its reader's. No error quotes the first line of such a
    // file.
    let isShown = reader.isQuoted || !used.isEmpty
    let found = isShown && !unused.isEmpty ? " Not used: \(unused.quotedList)." : ""
    if used.isEmpty {
      let cause =
        reader.isJSON
        ? "no object has a column of \(entity.name).\(found) If the rows are inside an object, take"
          + " them out by: jq .MEMBER FILE > NEW"
        : "no column of \(entity.name) is named here.\(found) If this is a row, put the header above"
          + " it: \(known.joined(separator: ",").short)"
      return first("\(cause). If the names differ, \(setting("columns: {NAME: \(column)}"))")
    }
    let nearest = isShown ? NearestName.closest(to: name, in: unused) : nil
    let sample = ParameterValue.mapping([
      .init(name: nearest ?? "NAME", value: .text(column))
    ]).json
    let remedy = unused.isEmpty ? "" : " If it has another name, " + setting("columns: \(sample)")
    return first(
      "column \(name.quoted) is missing; \(kind).\(reader.isJSON ? " No object has it." : "")"
        + "\(found)\(remedy)")
  }

  private func setting(_ text: String) -> String { "write under '\(reader.layout.path)': \(text)" }

  private func first(_ message: String) -> InputError {
    InputError(.file(reader.file, line: 1), message)
  }
}

extension [String] {
  /// `'a', 'b'`, shortened.
  var quotedList: String { map { "'\($0)'" }.joined(separator: ", ").short }
}

extension Substring {
  fileprivate func trimming(_ characters: String) -> String {
    let isKept = { !characters.contains($0 as Character) }
    guard let start = firstIndex(where: isKept), let end = lastIndex(where: isKept) else {
      return ""
    }
    return String(self[start...end])
  }
}
