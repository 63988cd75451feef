import Judging
import Measurement

extension ValueColumn {
  var forWidePages: ValueColumn {
    var column = self
    column.column.isForWidePages = true
    return column
  }

  /// - Parameter text: describes the marks to who cannot see them.
  static func marks(
    _ heading: String, _ axis: Axis, text: @escaping @Sendable (Value) -> String,
    _ marks: @escaping @Sendable (Value) -> [Mark]
  ) -> ValueColumn {
    ValueColumn(column: Table.Column(heading: heading, axis: axis)) { value in
      var cell = Table.Cell(text(value))
      cell.marks = marks(value)
      return cell
    }
  }
}

extension ValueColumn<PageLine> {
  static var topology: ValueColumn { leading("topology", .heading) { $0.label } }

  static var letters: ValueColumn {
    ValueColumn("rank", "", .label) { AnswerColumns.letters($0.summary.letters) }
  }

  /// The exact count that explains blocked time.
  static func work(_ question: Question) -> ValueColumn {
    ValueColumn("work on main", "", .words) { line in
      guard let cause = line.summary.cause(of: question), let work = MainWork(cause) else {
        return Table.missing
      }
      return "\(Figures.count(cause.count)) \(work.done)"
    }
  }

  static func median(_ heading: String, _ metric: Metric) -> ValueColumn {
    number(heading, { Figures.number($0, metric) }) { $0.median(metric) }
  }

  /// The value of each trial, and their median.
  static func trials(_ heading: String, _ axis: Axis, _ metric: Metric) -> ValueColumn {
    .marks(
      heading, axis,
      text: { line in
        let values = line.values(metric)
        guard let least = values.min(), let most = values.max() else { return Table.missing }
        let ends = [least, most].map { Figures.number($0, metric) }
        return "\(Figures.counted(values.count, "trial")) from \(ends[0]) to \(ends[1]) ms"
      }
    ) { line in
      let trials = line.cells.compactMap { cell in
        cell.value(metric).map { (trial: cell.trial, value: $0) }
      }
      return Mark.trials(trials, of: metric, line.style, on: axis, most: line.mostTrials)
        + (line.median(metric).map { [.median($0)] } ?? [])
    }
  }

  /// The longest gap and, if one passes a limit, the gravest that it passes.
  static func longestGap(_ heading: String, of lines: [PageLine]) -> [ValueColumn] {
    let gap = ValueColumn(column: Table.Column(heading: heading)) { line in
      var cell = Table.Cell(line.longestGap, Figures.gap)
      cell.isAlarming = line.passedLimit != nil
      return cell
    }
    guard lines.contains(where: { $0.passedLimit != nil }) else { return [gap] }
    return [
      gap,
      ValueColumn(column: Table.Column(heading: "over limit", kind: .words)) { line in
        var cell = Table.Cell(line.passedLimit.map { "▲ \($0.rawValue)" } ?? "")
        cell.isAlarming = true
        return cell
      },
    ]
  }
}

extension PageLine {
  /// Without gaps that the instrument caused: the one figure of this name on a page.
  var longestGap: Double? { summary.longestGap?.median }

  /// As the answer says it.
  var passedLimit: FreezeLimit? { freeze?.usual }

  /// Of taps, in ms.
  var waits: [(metric: Metric, time: Double, title: String)] {
    let waits = [
      (Metric.tapP95, median(.tapP95), "95 in 100"), (.tapP99, median(.tapP99), "99 in 100"),
      (Question.change.gap, longestGap, "all"),
    ]
    return waits.compactMap { metric, time, words in
      time.map { (metric, $0, "\(words) within \(Figures.number($0, metric)) ms") }
    }
  }

  var tapMarks: [Mark] {
    let ends = [waits.first, waits.last].compactMap { $0?.time }
    return (ends.count == 2 ? [.span(ends[0], ends[1])] : [])
      + waits.map { metric, time, title in
        metric == Question.change.gap
          ? .shape(.diamond, time, title: title)
          : .dot(time, metric == .tapP95 ? .hollow : .solid, title: title)
      }
  }

  var style: Mark.Style { role == .baseline ? .hollow : .solid }
}
