import Judging
import Measurement

enum SectionTitles {
  /// `drawing: drawing.cell_us 500`: a title names the fields that differ from their usual values.
  /// If none differs, it names all fields that vary.
  static func all(_ keys: [CellKey]) -> [String] {
    let settings = Dictionary(grouping: keys, by: \.scenario).mapValues(Settings.init)
    return keys.map { key in
      settings[key.scenario, default: Settings([key])].title(key, isAlone: keys.count == 1)
    }
  }
}

private struct Field: Hashable {
  let name: String
  let value: String

  /// A text that is no JSON object is a value without a name.
  static func all(_ parameters: String) -> [Field] {
    let values = SweptParameters(parameters).values
    guard !values.isEmpty else {
      return ["", "{}"].contains(parameters) ? [] : [Field(name: "", value: parameters)]
    }
    return values.sorted { $0.key < $1.key }.map { Field(name: $0, value: $1.label) }
  }
}

/// All settings of one scenario.
private struct Settings {
  private let count: Int
  private let hasStores: Bool
  private var counts: [Field: Int] = [:]
  /// The most frequent value of each field; of equally frequent values, the first.
  private var usual: [String: Field] = [:]

  init(_ keys: [CellKey]) {
    count = keys.count
    hasStores = Set(keys.map(\.store)).count > 1
    let fields = keys.flatMap { Field.all($0.parameters) }
    for field in fields { counts[field, default: 0] += 1 }
    for field in fields {
      let most = usual[field.name].flatMap { counts[$0] } ?? 1
      if counts[field, default: 0] > most { usual[field.name] = field }
    }
  }

  func title(_ key: CellKey, isAlone: Bool) -> String {
    let varying = Field.all(key.parameters).filter { isAlone || counts[$0] != count }
    let unusual = varying.filter { usual[$0.name] != $0 }
    let shown = (unusual.isEmpty || isAlone ? varying : unusual).map { "\($0.name) \($0.value)" }
    return PageText.brief(key.scenario)
      + (hasStores || isAlone ? ", \(PageText.brief(key.store)) store" : "")
      + (shown.isEmpty ? "" : ": \(shown.joined(separator: ", "))")
  }
}
