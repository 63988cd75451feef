import Judging

package struct Table: Sendable {
  package struct Column: Sendable {
    package enum Kind {
      /// The names of the rows.
      case heading
      /// Bold in an emphasised row.
      case label
      case words
      /// A name that the user may type.
      case code
      /// Aligned at the decimal point.
      case number
      /// Aligned at the right.
      case figure
      case sentence
    }

    var heading: String
    var unit = ""
    var kind = Kind.number
    /// Repeated at the left where a table continues below.
    var isLeading = false
    /// Never parted from the column before it.
    var staysWithPrevious = false
    /// Of the marks in the column's cells. Only a page draws them.
    var axis: Axis?
    /// Whether a narrow page omits the column.
    var isForWidePages = false

    var isRight: Bool { kind == .number || kind == .figure }

    var name: String {
      [heading, unit].filter { !$0.isEmpty }.joined(separator: unit == "ms" ? ", " : " ")
    }
  }

  package struct Row: Sendable {
    /// Rows of one group follow each other.
    var group: String?
    var cells: [Cell]
    var isEmphasised = false
    /// Decides which rows a format keeps if it has no room for all.
    var importance: Importance?
  }

  package struct Importance: Sendable, Equatable {
    var grade: Int
    /// Names the row where omitted rows are counted: `3 fail`.
    var word: String
  }

  var id: String?
  /// Only a page shows it.
  var caption = ""
  var groupHeading = ""
  var columns: [Column]
  var rows: [Row]

  package static let missing = "–"

  /// A cell as every format writes it.
  struct ShownCell {
    let column: Column
    let cell: Cell
    let isStrong: Bool
  }

  /// The indexes of the rows of each group. Every format lays a table out by groups and cells.
  var groups: [(name: String?, rows: [Int])] {
    rows.indices.grouped { rows[$0].group }.map { ($0.key, $0.elements) }
  }

  func cells(of row: Int) -> [ShownCell] {
    let isEmphasised = rows[row].isEmphasised
    return zip(columns, rows[row].cells).map { column, cell in
      ShownCell(column: column, cell: cell, isStrong: isEmphasised && column.kind == .label)
    }
  }

  var isGrouped: Bool { rows.contains { $0.group != nil } }

  /// Whether a page draws it.
  var isChart: Bool { columns.contains { $0.axis != nil } }

  /// For formats that cannot draw.
  var withoutMarks: Table {
    guard isChart else { return self }
    var table = self
    let kept = columns.indices.filter { columns[$0].axis == nil }
    table.columns = kept.map { columns[$0] }
    for index in rows.indices { table.rows[index].cells = kept.map { rows[index].cells[$0] } }
    return table
  }

  /// Text, in which a page marks the exact numbers for programs.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    struct Piece: Sendable {
      let text: String
      var exact: Double?
    }

    var pieces: [Piece]
    /// Drawn in place of the text, which describes them.
    var marks: [Mark] = []
    /// Whether the value is bad. The text says so too, because not everybody sees colours.
    var isAlarming = false

    init(_ text: String) { pieces = [Piece(text: text)] }

    package init(stringLiteral text: String) { self.init(text) }

    init(_ number: Double?, _ text: (Double) -> String = Figures.short) {
      pieces = [Piece(text: number.map(text) ?? Table.missing, exact: number)]
    }

    package var text: String { pieces.count == 1 ? pieces[0].text : pieces.map(\.text).joined() }

    package static func + (a: Cell, b: Cell) -> Cell {
      var cell = a
      cell.pieces += b.pieces
      return cell
    }
  }
}

extension Table.Importance {
  init<Word: RawRepresentable<String> & Equatable>(_ word: Word, of gravestFirst: [[Word]]) {
    grade = gravestFirst.firstIndex { $0.contains(word) } ?? gravestFirst.count
    self.word = word.rawValue
  }
}

package struct ValueColumn<Value>: Sendable {
  var column: Table.Column
  package let cell: @Sendable (Value) -> Table.Cell
}

extension ValueColumn {
  package init(
    _ heading: String, _ unit: String = "", _ kind: Table.Column.Kind = .number,
    stays: Bool = false, text: @escaping @Sendable (Value) -> String
  ) {
    column = Table.Column(heading: heading, unit: unit, kind: kind, staysWithPrevious: stays)
    cell = { Table.Cell(text($0)) }
  }

  package static func leading(
    _ heading: String, _ kind: Table.Column.Kind = .words,
    text: @escaping @Sendable (Value) -> String
  ) -> ValueColumn {
    var column = ValueColumn(heading, "", kind, text: text)
    column.column.isLeading = true
    return column
  }

  static func number(
    _ heading: String, _ text: @escaping @Sendable (Double) -> String = { Figures.short($0) },
    value: @escaping @Sendable (Value) -> Double?
  ) -> ValueColumn {
    ValueColumn(column: Table.Column(heading: heading)) { Table.Cell(value($0), text) }
  }
}

extension Table {
  package init<Value>(
    _ values: [Value], _ columns: [ValueColumn<Value>], caption: String = "",
    group: (Value) -> String? = { _ in nil }, isEmphasised: (Value) -> Bool = { _ in false },
    importance: (Value) -> Importance? = { _ in nil }
  ) {
    self.caption = caption
    self.columns = columns.map(\.column)
    rows = values.map { value in
      Row(
        group: group(value), cells: columns.map { $0.cell(value) },
        isEmphasised: isEmphasised(value), importance: importance(value))
    }
  }
}
