package import DataModel
package import Support

/// The rows of one CSV file, typed by an entity, each key once.
///
/// The header names each attribute and reference of the entity once, in any order, and no other.
package struct DataSet: Sendable {
  package let rows: [Row]
  /// The lines in which the rows begin; empty for rows without a file.
  private let lines: [Int]
  private let position: [Value: Int]
  private let keyIndex: Int

  /// - Parameters:
  ///   - bytes: the file's content; UTF-8, RFC 4180, LF or CRLF.
  ///   - file: its name in messages.
  ///   - isQuoted: whether errors may quote the file.
  package init(
    csv bytes: [UInt8], file: String, entity: RowDescription, isQuoted: Bool = true
  ) throws(InputError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InputError) in
      try DataSet(DataFileReader(buffer, file: file, isQuoted: isQuoted), entity)
    }
  }

  private init(_ reader: DataFileReader, _ entity: RowDescription) throws(InputError) {
    var reader = reader
    let columns = try Self.readHeader(&reader, entity)
    let attributes = entity.columns
    var rows: [Row] = []
    var lines: [Int] = []
    var position: [Value: Int] = [:]
    while try reader.next() {
      let row = try Self.row(reader, columns, attributes)
      if let first = position.updateValue(rows.count, forKey: row[entity.keyIndex]) {
        let key = reader.isQuoted ? " \(row[entity.keyIndex])".short : ""
        throw reader.error(
          "key\(key) is already in line \(lines[first]); each key may stand once",
          field: entity.key.name)
      }
      rows.append(row)
      lines.append(reader.line)
    }
    self.rows = rows
    self.lines = lines
    self.position = position
    keyIndex = entity.keyIndex
  }

  /// - Precondition: each key occurs once.
  init(rows: [Row], keyIndex: Int) {
    self.rows = rows
    self.keyIndex = keyIndex
    lines = []
    position = Dictionary(
      uniqueKeysWithValues: rows.enumerated().map { ($0.element[keyIndex], $0.offset) })
  }

  package var keys: some Collection<Value> { position.keys }

  package subscript(key: Value) -> Row? {
    index(of: key).map { rows[$0] }
  }

  func index(of key: Value) -> Int? { position[key] }

  /// Nil for rows without a file.
  func line(ofRow index: Int) -> Int? { lines.indices.contains(index) ? lines[index] : nil }

  /// Removes the rows that do not match, and forgets the lines.
  ///
  /// - Returns: the number of removed rows.
  @discardableResult
  mutating func keep(_ isIncluded: (Row) -> Bool) -> Int {
    let kept = rows.filter(isIncluded)
    let removed = rows.count - kept.count
    if removed > 0 { self = DataSet(rows: kept, keyIndex: keyIndex) }
    return removed
  }

  /// For every attribute, the column that holds it.
  private static func readHeader(
    _ reader: inout DataFileReader, _ entity: RowDescription
  ) throws(InputError) -> [Int] {
    guard try reader.next() else {
      throw reader.error("the file is empty; the first line names the columns")
    }
    let names = entity.columns.map(\.name)
    var columns = [Int](repeating: -1, count: names.count)
    for column in 0..<reader.fieldCount {
      let name = try reader.text(column)
      guard let attribute = names.firstIndex(of: name) else {
        throw reader.error(unknownColumn(reader.isQuoted ? name : nil, entity))
      }
      guard columns[attribute] < 0 else { throw reader.error("column '\(name)' occurs twice") }
      columns[attribute] = column
    }
    if let missing = columns.firstIndex(of: -1) {
      let kind = missing < entity.attributes.count ? "an attribute" : "a reference"
      throw reader.error("column '\(names[missing])' is missing; \(entity.name) has it as \(kind)")
    }
    return columns
  }

  /// - Parameter name: the name in the file; nil if errors may not quote the file.
  private static func unknownColumn(_ name: String?, _ entity: RowDescription) -> String {
    let known = entity.columns.map(\.name)
    let hint = name.map { NearestName.hint(for: $0, in: known) } ?? ""
    let quotation = name.map { " \($0.quoted)" } ?? ""
    let kind = entity.references.isEmpty ? "Attributes" : "Attributes and references"
    return "unknown column\(quotation).\(hint) \(kind) of \(entity.name): "
      + known.joined(separator: ", ").short
      + (hint.isEmpty ? ". A relationship in a column needs an entry under `references`" : "")
  }

  private static func row(
    _ reader: DataFileReader, _ columns: [Int], _ attributes: [AttributeDescription]
  ) throws(InputError) -> Row {
    let count = reader.fieldCount
    guard count == columns.count else {
      throw reader.error(
        "\(count) \(count == 1 ? "field" : "fields"), but the header has \(columns.count) columns")
    }
    var row = Row()
    row.reserveCapacity(columns.count)
    for (attribute, column) in zip(attributes, columns) {
      let text = try reader.text(column)
      guard let value = attribute.value(of: text) else {
        let found = text.isEmpty ? "an empty field" : reader.quotation(text) ?? "the value"
        throw reader.error(
          "\(found) is no \(attribute.typeName); "
            + "allowed: \(attribute.allowedText)", field: attribute.name)
      }
      row.append(value)
    }
    return row
  }
}

/// An entity's rows before and after the changes.
package struct TableRows: Sendable {
  package let entity: RowDescription
  package internal(set) var before: DataSet
  package internal(set) var after: DataSet

  var differs: Bool {
    after.rows.contains { before[$0[entity.keyIndex]] != $0 }
      || before.rows.contains { after[$0[entity.keyIndex]] == nil }
  }

  /// Keeps the smallest keys of both data sets together, so that a small size has every kind of
  /// change.
  mutating func keepFirst(_ count: Int) {
    let keys = Set(Set(before.keys).union(after.keys).sorted().prefix(count))
    before.keep { keys.contains($0[entity.keyIndex]) }
    after.keep { keys.contains($0[entity.keyIndex]) }
  }
}

// If `data.rows` cuts the list to a smoke size, rows that refer to removed rows are removed too,
// and so on:
//
//   Visit ──▶ Patient (60 of 5,000 are kept) ──▶ Ward
//   visits of the others go                      wards stay, though fewer patients are in them

extension TableRows {
  /// - Throws: an error at the line of the first dangling reference.
  func check(
    _ rows: DataSet, of file: String, isQuoted: Bool, _ tables: [(String, DataSet)]
  ) throws(InputError) {
    guard !entity.references.isEmpty else { return }
    for (index, row) in rows.rows.enumerated() {
      guard let (reference, key) = dangling(row, tables) else { continue }
      let found = isQuoted ? " \(key)".short : ""
      throw InputError(
        .file(file, line: rows.line(ofRow: index)), field: reference.column.name,
        "refers to \(reference.destination)\(found), which has no row;"
          + " add it, or leave the field empty"
      )
    }
  }

  private func dangling(
    _ row: Row, _ tables: [(name: String, rows: DataSet)]
  ) -> (Reference, Value)? {
    zip(entity.references, row.dropFirst(entity.attributes.count)).first { reference, key in
      guard key != .null, let table = tables.first(where: { $0.name == reference.destination })
      else { return false }
      return table.rows[key] == nil
    }
  }

  static func prune(_ tables: inout [TableRows]) {
    var isChanged = true
    while isChanged {
      isChanged = false
      for index in tables.indices where !tables[index].entity.references.isEmpty {
        let before = tables.map { ($0.entity.name, $0.before) }
        let after = tables.map { ($0.entity.name, $0.after) }
        let table = tables[index]
        let removed = [
          tables[index].before.keep { table.dangling($0, before) == nil },
          tables[index].after.keep { table.dangling($0, after) == nil },
        ]
        if removed != [0, 0] { isChanged = true }
      }
    }
  }
}
