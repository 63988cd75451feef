package import DataModel
package import Support

/// The rows of one data file, typed by an entity, each key once.
///
/// The file names each attribute and reference of the entity once, in any order.
package struct DataSet: Sendable {
  package private(set) var rows: [Row]
  /// The file's columns that are not the entity's, without those that the scenario ignores.
  private(set) var unusedColumns: [String] = []
  /// The lines in which the rows begin; empty for rows without a file.
  private var lines: [Int]
  private var position: [Value: Int]
  private let keyIndex: Int

  /// - Parameters:
  ///   - bytes: the file's content, in UTF-8. CSV is RFC 4180 with LF or CRLF.
  ///   - file: its name in messages; the suffix decides its form.
  ///   - isQuoted: whether errors may quote the file.
  package init(
    _ bytes: [UInt8], file: String, entity: RowDescription, layout: DataLayout = DataLayout(),
    isQuoted: Bool = true
  ) throws(InputError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InputError) in
      try DataSet(
        DataFileReader(buffer, file: file, layout: layout, isQuoted: isQuoted), entity)
    }
  }

  private init(_ reader: DataFileReader, _ entity: RowDescription) throws(InputError) {
    var reader = reader
    self.init(rows: [], keyIndex: entity.keyIndex)
    guard !reader.isEmpty else { return }
    let header = try DataHeader(&reader, entity)
    let columns = entity.columns
    unusedColumns = header.unused
    while try reader.next() {
      let row = try Self.row(reader, header, entity, columns)
      if let first = position.updateValue(rows.count, forKey: row[keyIndex]) {
        let key = reader.isQuoted ? " \(row[keyIndex])".short : ""
        throw reader.error(
          "key\(key) is already in line \(lines[first]); each key may stand once",
          field: entity.key.name)
      }
      rows.append(row)
      lines.append(reader.line)
    }
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

  /// Finds rows by key. It hashes no key that comes in the rows' order.
  struct Search {
    private let data: DataSet
    private var next = 0

    init(_ data: DataSet) { self.data = data }

    mutating func row(with key: Value) -> Row? {
      let isNext = next < data.rows.count && data.rows[next][data.keyIndex] == key
      guard let index = isNext ? next : data.index(of: key) else { return nil }
      next = index + 1
      return data.rows[index]
    }
  }

  /// Nil for rows without a file.
  func line(ofRow index: Int) -> Int? { lines.indices.contains(index) ? lines[index] : nil }

  /// Removes the rows that do not match, and forgets the lines.
  ///
  /// - Returns: the number of removed rows.
  @discardableResult
  mutating func keep(_ isIncluded: (Row) -> Bool) -> Int {
    let count = rows.count
    replaceRows { isIncluded($0) ? $0 : nil }
    return count - rows.count
  }

  /// Removes the rows for which there is nil, and forgets the lines if there are any.
  mutating func replaceRows(_ replacement: (Row) -> Row?) {
    let replaced = rows.compactMap(replacement)
    guard replaced != rows else { return }
    let unused = unusedColumns
    self = DataSet(rows: replaced, keyIndex: keyIndex)
    unusedColumns = unused
  }

  private static func row(
    _ reader: DataFileReader, _ header: DataHeader, _ entity: RowDescription,
    _ columns: [AttributeDescription]
  ) throws(InputError) -> Row {
    let count = reader.fieldCount
    guard count == header.count else {
      throw reader.error(
        "\(count) \(count == 1 ? "field" : "fields"), but the header has \(header.count) columns")
    }
    var row = Row()
    row.reserveCapacity(columns.count)
    for (column, index) in zip(columns, header.indexes) {
      let text = try reader.text(index, of: column.name)
      guard let value = reader.value(of: text, column) else {
        let isReference = row.count >= entity.attributes.count
        let remedy =
          isReference ? nil : column.remedy(for: text ?? "", isKey: row.count == entity.keyIndex)
        throw reader.error(of: text, column, remedy)
      }
      row.append(value)
    }
    return row
  }
}

extension DataFileReader {
  /// - Parameter text: nil for null. In CSV, an empty field may be null too.
  fileprivate func value(of text: String?, _ column: AttributeDescription) -> Value? {
    guard let text else { return column.isOptional ? .null : nil }
    if text.isEmpty, isJSON, column.type == .string { return .string("") }
    return column.value(of: text)
  }

  fileprivate func error(
    of text: String?, _ column: AttributeDescription, _ remedy: String?
  ) -> InputError {
    let found =
      switch text {
      case nil: "null"
      case "": "an empty field"
      case let text?: quotation(text) ?? "the value"
      }
    return error(
      "\(found) is no \(column.typeName); allowed: \(column.allowedText)"
        + (remedy.map { ". \($0)" } ?? ""), field: column.name)
  }
}
