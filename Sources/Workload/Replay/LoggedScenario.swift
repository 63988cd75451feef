import DataModel
package import Support

/// A scenario file and its file of saves, made from an app's log.
///
/// The log does not say how many rows there are, nor what they hold. The list's entity gets as many
/// as main had registered, others as many as the saves need. Attributes are invented.
package struct LoggedScenario {
  package let yaml: String
  /// The file of `changes.saves`.
  package let saves: String

  package struct Choices: Sendable {
    /// The longest pause between saves, in seconds. Longer pauses are shortened to it.
    package var longestPause: Double?
    /// Nil for the entity with the most changes.
    package var list: String?
    /// The list's rows before the first save; nil for as many as main had registered.
    package var rows: Int?

    package init(longestPause: Double? = nil, list: String? = nil, rows: Int? = nil) {
      self.longestPause = longestPause
      self.list = list
      self.rows = rows
    }
  }

  package static func savesFile(of scenario: String) -> String {
    let suffix = FileContent.scenarioSuffixes.first { scenario.hasSuffix($0) } ?? ""
    return "\(scenario.dropLast(suffix.count)).saves.csv"
  }

  /// - Throws: an error in an option, or in a log without a scenario.
  package init(_ log: SaveLog, file: String, _ choices: Choices = Choices()) throws(InputError) {
    let name = FileContent.scenarioName(file)
    guard Scenario.isName(name), FileContent.scenarioSuffixes.contains(where: file.hasSuffix) else {
      throw InputError(
        .flag("--output \(file)"),
        "must be NAME.yaml; the name may hold letters, digits, '-' and '_'")
    }
    let draft = try Draft(log, choices)
    saves = log.saves.csv
    yaml = draft.yaml(
      name: name, savesFile: String(Self.savesFile(of: file).split(separator: "/").last ?? ""))
  }
}

private struct Draft {
  private let log: SaveLog
  /// The list's entity comes first.
  private var entities: [(name: String, rows: Int)]
  private let longestPause: Int?
  private let horizon: Int

  init(_ log: SaveLog, _ choices: LoggedScenario.Choices) throws(InputError) {
    self.log = log
    longestPause = choices.longestPause.map { Int(($0 * 1000).rounded(.up)) }
    horizon = try Self.horizon(log, longestPause)
    var totals: [String: Int] = [:]
    for save in log.saves { totals.merge(save.counts.mapValues(\.total), uniquingKeysWith: +) }
    let names = totals.keys.sorted { (-(totals[$0] ?? 0), $0) < (-(totals[$1] ?? 0), $1) }
    let list = choices.list ?? names[0]
    guard names.contains(list) else {
      throw InputError(
        .flag("--list \(list)"),
        "no save changes it.\(NearestName.hint(for: list, in: names))"
          + " Known: \(names.joined(separator: ", ").short)")
    }
    let needs = log.saves.rowsNeeded
    entities = [(list, 0)]
    for name in names where name != list {
      entities.append((name: name, rows: try Self.rowsBesideList(of: name, needs[name], log)))
    }
    let needed = needs[list]?.rows ?? 0
    entities[0].rows = choices.rows ?? max(needed, log.registeredOnMain)
    guard entities[0].rows >= needed else {
      throw InputError(
        .flag("--rows \(entities[0].rows)"), "the saves of \(list) need at least \(needed)")
    }
  }

  /// - Throws: an error at the save that needs more rows than a scenario makes.
  private static func rowsBesideList(
    of name: String, _ need: RowsNeeded?, _ log: SaveLog
  ) throws(InputError) -> Int {
    let (rows, save) = (need?.rows ?? 0, need?.save)
    guard rows > ModelKeys.mostCounted, let save else { return rows }
    let kind = save.counts[name]?.updates == 0 ? "deleted" : "updated"
    throw InputError(
      .file(log.file, line: save.line), field: "\(kind).\(name)",
      "needs \(rows) rows, but a scenario makes at most \(ModelKeys.mostCounted) of an entity"
        + " beside the list's. Choose \(name) by --list, or keep fewer lines")
  }

  /// The first whole second after the last save, in ms.
  private static func horizon(_ log: SaveLog, _ longestPause: Int?) throws(InputError) -> Int {
    let pauses = zip(log.saves.dropFirst(), log.saves).map { $0.at - $1.at }
    let longest = longestPause.map { Duration.milliseconds($0) }
    let length = pauses.reduce(Duration.zero) { $0 + min($1, longest ?? $1) }
    let seconds = Int((length / .seconds(1)).rounded(.down)) + 1
    guard seconds <= 3600 else {
      throw InputError(
        .file(log.file, line: nil),
        "lasts \(seconds) s; a scenario lasts 3600 s at most."
          + " Shorten its pauses by --longest-pause SECONDS, or keep fewer lines."
          + SaveLog.milliseconds)
    }
    return seconds * 1000
  }

  private var changes: Int {
    log.saves.reduce(0) { $0 + $1.counts.values.reduce(0) { $0 + $1.total } }
  }

  func yaml(name: String, savesFile: String) -> String {
    let source = Self.text(String(log.file.split(separator: "/").last ?? "")).short
    let blocks: [String?] = [
      """
      # `topobench scenario schema` describes every field.
      # Made by `topobench scenario from-log` from \(source):
      # \(log.saves.count) saves of \(changes) objects by \(log.contexts) contexts. A worker makes \
      all, also the \(log.onMain) that
      # the app made on its main thread.
      # Attributes and values are invented, and the number of rows is a guess: mend them.
      name: \(Self.text(name))
      asks: \(Self.text("What do the saves recorded in \(source) cost main?"))
      """,
      entity, others,
      """
      generate:
        rows: \(entities[0].rows)
      """,
      changes(savesFile), realised,
      """
      list:
        visible_rows: 12
      """,
      """
      horizon_ms: \(horizon)
      repeat_for_ms: 0
      """,
      smoke,
    ]
    return blocks.compactMap { $0 }.joined(separator: "\n\n") + "\n"
  }

  private static let attributes = "{ number: int64, text: string, amount: double, changed: date }"

  private var entity: String {
    """
    entity:
      name: \(Self.text(entities[0].name))
      key: number
      attributes: \(Self.attributes)
    """
  }

  private var others: String? {
    guard entities.count > 1 else { return nil }
    let others = entities.dropFirst()
    return "others:\n"
      + others.map { "  \(Self.text($0.name)): { key: number, rows: \($0.rows) }\n" }.joined()
      + "\nmodel:\n"
      + others.map { "  \(Self.text($0.name)):\n    attributes: \(Self.attributes)" }
      .joined(separator: "\n")
  }

  private func changes(_ savesFile: String) -> String {
    "changes:\n  saves: \(savesFile)"
      + (longestPause.map { "\n  longest_pause_ms: \($0)" } ?? "")
  }

  private var realised: String? {
    guard entities[0].rows > 0, log.registeredOnMain > 0 else { return nil }
    let percent = min(100, 100 * Double(log.registeredOnMain) / Double(entities[0].rows))
    return "main:\n  realised_percent: \(Self.number(percent))"
  }

  /// The smoke size: about a hundred rows and a hundred changes, with short pauses.
  private var smoke: String {
    let most = max(100, changes, entities.reduce(0) { $0 + $1.rows })
    let percent = max(0.01, 10_000 / Double(most))
    let smaller = percent < 100 ? "\n  generate.percent: \(Self.number(percent))" : ""
    return "smoke:\(smaller)\n  changes.longest_pause_ms: 2"
  }

  /// To two decimals, rounded down.
  private static func number(_ value: Double) -> String {
    ParameterValue.number((value * 100).rounded(.down) / 100).json
  }

  /// In quotes where YAML could misread it.
  private static func text(_ text: String) -> String {
    let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
    let isName = !text.hasPrefix("-") && AttributeDescription.isName(text.replacing("-", with: "_"))
    let isPlain = isName && !words.contains(text.lowercased())
    return isPlain ? text : ParameterValue.text(text).json
  }
}

/// The rows with which each save finds enough to change, and the first save that needs them all.
private struct RowsNeeded {
  var rows = 0
  var save: RecordedSave?
  /// By the saves so far.
  var added = 0
}

extension [RecordedSave] {
  /// By entity.
  fileprivate var rowsNeeded: [String: RowsNeeded] {
    var all: [String: RowsNeeded] = [:]
    for save in self {
      for (name, counts) in save.counts {
        var needed = all[name, default: RowsNeeded()]
        let rows = counts.updates + counts.deletes - needed.added
        if rows > needed.rows { (needed.rows, needed.save) = (rows, save) }
        needed.added += counts.inserts - counts.deletes
        all[name] = needed
      }
    }
    return all
  }
}
