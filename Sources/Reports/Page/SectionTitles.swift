import Foundation
import Judging
import Measurement

/// Names sections by what varies among them.
enum SectionTitles {
  /// `drawing: drawing.cell_us 500`: the fields that differ from their usual value. The setting
  /// with usual values alone names them all.
  static func all(_ keys: [CellKey]) -> [String] {
    keys.map { key in
      title(key, among: keys.filter { $0.scenario == key.scenario }, isAlone: keys.count == 1)
    }
  }

  private static func title(_ key: CellKey, among keys: [CellKey], isAlone: Bool) -> String {
    let all = keys.map { fields($0.parameters) }
    let own = fields(key.parameters)
    let varying = own.filter { field in
      isAlone || all.contains { other in !other.contains { $0 == field } }
    }
    let unusual = varying.filter { field in usual(field.name, in: all) != field.value }
    let shown = (unusual.isEmpty || isAlone ? varying : unusual).map { "\($0.name) \($0.value)" }
    let hasStores = isAlone || Set(keys.map(\.store)).count > 1
    return PageText.brief(key.scenario)
      + (hasStores ? ", \(PageText.brief(key.store)) store" : "")
      + (shown.isEmpty ? "" : ": \(shown.joined(separator: ", "))")
  }

  private typealias Field = (name: String, value: String)

  private static func fields(_ parameters: String) -> [Field] {
    let data = Data(parameters.utf8)
    guard let set = try? JSONDecoder().decode([String: EnvironmentValue].self, from: data) else {
      return parameters.isEmpty ? [] : [("", parameters)]
    }
    return EnvironmentValue.object(set).leaves.map { (name: $0.0, value: $0.1) }
  }

  /// The most frequent value of a field; the first of several.
  private static func usual(_ name: String, in all: [[Field]]) -> String? {
    let values = all.compactMap { $0.first { $0.name == name }?.value }
    let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
    let most = counts.values.max()
    guard most ?? 0 > 1 else { return nil }
    return values.first { counts[$0] == most }
  }
}
