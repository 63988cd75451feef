package import Support

// The file of `changes.saves`, as `topobench scenario from-log` writes it:
//
//   save,at_ms,entity,inserted,updated,deleted
//   1,0,Message,40,0,0
//   2,180,Message,2,1,0
//   2,180,Chat,0,1,0           save 2 touches two entities

package struct RecordedSave: Sendable, Equatable {
  /// After the recording's start.
  package var at: Duration
  /// By the entity's name.
  package var counts: [String: ChangeCounts]
  /// In the file, for errors.
  package var line = 0

  package static func == (left: RecordedSave, right: RecordedSave) -> Bool {
    left.at == right.at && left.counts == right.counts
  }
}

enum SavesColumn: String, CaseIterable {
  case save
  case at = "at_ms"
  case entity, inserted, updated, deleted
}

extension [RecordedSave] {
  /// Over all saves, entities and kinds.
  static let mostObjects = 10_000_000

  /// Saves without a change have no line.
  package var csv: String {
    var text = CSVWriter.row(SavesColumn.allCases.map(\.rawValue))
    for (number, save) in enumerated() {
      for (entity, counts) in save.counts.sorted(by: { $0.key < $1.key }) where counts.total > 0 {
        text += CSVWriter.row(
          ["\(number + 1)", save.at.shortMilliseconds, entity]
            + [counts.inserts, counts.updates, counts.deletes].map(String.init))
      }
    }
    return text
  }

  package init(csv bytes: [UInt8], file: String, isQuoted: Bool) throws(InputError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(InputError) in
      var reader = try SavesReader(DataFileReader(buffer, file: file, isQuoted: isQuoted))
      return try reader.all()
    }
  }
}

private struct SavesReader {
  private var reader: DataFileReader
  private var saves: [RecordedSave] = []
  private var number = 0
  private var objects = 0

  init(_ reader: DataFileReader) { self.reader = reader }

  mutating func all() throws(InputError) -> [RecordedSave] {
    let header = SavesColumn.allCases.map(\.rawValue).joined(separator: ",")
    var names: [String] = []
    if try reader.next() {
      for index in 0..<reader.fieldCount { names.append(try reader.text(index) ?? "") }
    }
    guard names.joined(separator: ",") == header else {
      throw reader.error("the first line must be \(header)")
    }
    while try reader.next() { try addLine() }
    guard !saves.isEmpty else { throw reader.error("the file has no save; add one a line") }
    return saves
  }

  private mutating func addLine() throws(InputError) {
    guard reader.fieldCount == SavesColumn.allCases.count else {
      throw reader.error(
        "\(reader.fieldCount) fields, but the header has \(SavesColumn.allCases.count) columns")
    }
    let number = try whole(.save, in: 1...Int.max)
    let at = try time()
    let entity = try text(.entity)
    let counts = ChangeCounts(
      inserts: try count(.inserted), updates: try count(.updated), deletes: try count(.deleted))
    if number != self.number {
      guard number > self.number else { throw error(.save, "comes after save \(self.number)") }
      saves.append(RecordedSave(at: at, counts: [:], line: reader.line))
      self.number = number
    }
    guard saves[saves.count - 1].at == at else {
      throw error(.at, "differs from that of the line before, which is of the same save")
    }
    guard saves[saves.count - 1].counts.updateValue(counts, forKey: entity) == nil else {
      throw error(.entity, "occurs twice in save \(number); add up its counts")
    }
    try addUp(counts.total)
  }

  private mutating func addUp(_ count: Int) throws(InputError) {
    objects += count
    guard objects <= [RecordedSave].mostObjects else {
      throw reader.error(
        "the saves change more than \([RecordedSave].mostObjects) objects; keep fewer saves")
    }
  }

  private func time() throws(InputError) -> Duration {
    let given = try text(.at)
    guard let milliseconds = Double(decimal: given), (0...1e9).contains(milliseconds) else {
      throw error(.at, "must be a number from 0 to 1000000000")
    }
    let at = Duration.milliseconds(milliseconds)
    guard at >= saves.last?.at ?? .zero else {
      throw error(.at, "lies before the save above; sort the saves by time")
    }
    return at
  }

  private func count(_ column: SavesColumn) throws(InputError) -> Int {
    try whole(column, in: 0...[RecordedSave].mostObjects)
  }

  private func whole(_ column: SavesColumn, in range: ClosedRange<Int>) throws(InputError) -> Int {
    guard let value = Int(try text(column)), range.contains(value) else {
      throw error(column, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private func text(_ column: SavesColumn) throws(InputError) -> String {
    let index = SavesColumn.allCases.firstIndex(of: column) ?? 0
    return try reader.text(index, of: column.rawValue) ?? ""
  }

  private func error(_ column: SavesColumn, _ message: String) -> InputError {
    let found = (try? text(column)).flatMap(reader.quotation).map { "\($0) " } ?? ""
    return reader.error("\(found)\(message)", field: column.rawValue)
  }
}

extension Duration {
  /// To the microsecond, without needless digits: `12.5`.
  var shortMilliseconds: String {
    let microseconds = Int((self / .microseconds(1)).rounded())
    return ParameterValue.number(Double(microseconds) / 1000).json
  }
}
