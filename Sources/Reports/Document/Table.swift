/// A table of a document.
struct Table: Sendable {
  struct Column: Sendable {
    enum Kind {
      /// The words that an emphasised row emphasises.
      case label
      case words
      /// A name that the user may type.
      case code
      /// Aligned at the decimal point.
      case number
      /// Aligned at the right: numbers of several units, intervals.
      case figure
      /// Sentences, which wrap.
      case sentence
    }

    var heading: String
    var unit = ""
    var kind = Kind.number
    /// Repeated at the left where a table continues below.
    var isLeading = false
    /// Never parted from the column before it.
    var staysWithPrevious = false

    var isRight: Bool { kind == .number || kind == .figure }

    /// `blocked, ms`, `late frames`
    var name: String {
      [heading, unit].filter { !$0.isEmpty }.joined(separator: unit == "ms" ? ", " : " ")
    }
  }

  struct Row: Sendable {
    /// Rows of one group follow each other.
    var group: String?
    var cells: [String]
    var isEmphasised = false
    /// Where a format has room for some rows only, those of the lowest grade stay.
    var importance: Importance?
  }

  struct Importance: Sendable, Equatable {
    var grade: Int
    /// Names the row among counted rows that were left out: `3 fail`.
    var word: String
  }

  /// The heading of the groups.
  var groupHeading = ""
  var columns: [Column]
  var rows: [Row]

  /// Stands where nothing was measured.
  static let missing = "–"
}

/// A column of a table, and how it shows a value.
struct ValueColumn<Value>: Sendable {
  var column: Table.Column
  let text: @Sendable (Value) -> String

  init(
    _ heading: String, _ unit: String = "", _ kind: Table.Column.Kind = .number,
    stays: Bool = false, text: @escaping @Sendable (Value) -> String
  ) {
    column = Table.Column(heading: heading, unit: unit, kind: kind, staysWithPrevious: stays)
    self.text = text
  }

  static func leading(
    _ heading: String, _ kind: Table.Column.Kind = .words,
    text: @escaping @Sendable (Value) -> String
  ) -> ValueColumn {
    var column = ValueColumn(heading, "", kind, text: text)
    column.column.isLeading = true
    return column
  }
}

extension Table {
  init<Value>(_ values: [Value], _ columns: [ValueColumn<Value>]) {
    self.columns = columns.map(\.column)
    rows = values.map { value in Row(cells: columns.map { $0.text(value) }) }
  }
}
