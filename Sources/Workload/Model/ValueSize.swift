import DataModel
import Support

/// The size of an attribute's generated values, which `model:` gives by `bytes` or `words`.
struct ValueSize: Sendable, Equatable {
  let entity: String
  let attribute: String
  /// `bytes` or `words`.
  let key: String
  let count: Int

  static let mostBytes = 10_000_000
  static let mostWords = 100_000
}

extension ValueSize {
  static func all(of entity: String, _ node: LocatedNode) throws(InputError) -> [Self] {
    var all: [Self] = []
    for (name, node) in try ModelKeys(node, of: .entity).declarations("attributes")
    where node.isMapping {
      let keys = try ModelKeys(node, of: .attribute)
      let type = try keys.text("type")?.replacing("?", with: "")
      for (key, owner, most) in [
        ("bytes", AttributeType.data, mostBytes), ("words", .string, mostWords),
      ] {
        guard let size = keys[key] else { continue }
        guard type == owner.rawValue else {
          throw size.error("is for \(owner.rawValue), not \(type ?? "")")
        }
        if let rule = ["minimum_length", "maximum_length", "pattern"].first(where: {
          keys[$0] != nil
        }) {
          throw size.error("must be left out beside \(rule), which generated values do not follow")
        }
        let count = try size.integer(in: 1...most, keys.allowed(key))
        all.append(Self(entity: entity, attribute: name, key: key, count: count))
      }
    }
    return all
  }

  var path: String { "model.\(entity).attributes.\(attribute).\(key)" }
}

extension RowEntities {
  /// Gives each row's attribute its declared size.
  mutating func addSizes() throws(InputError) {
    for size in model.sizes {
      func wrong(_ message: String) -> InputError { model.error(at: size.path, message) }
      guard values.integer("generate.rows") != nil else {
        throw wrong("needs generate.rows; the rows come from data files")
      }
      guard values.text("generate.story") == Story.rows.rawValue else {
        throw wrong("must be left out: generate.story decides the values")
      }
      var isUsed = false
      for index in all.indices {
        guard
          let attribute = all[index].attributes.firstIndex(where: { $0.name == size.attribute }),
          let entity = model.entity(named: all[index].name),
          model.lineage(of: entity).contains(where: { $0.name == size.entity })
        else { continue }
        guard attribute != all[index].keyIndex else { throw wrong("is not for a key; remove it") }
        all[index].sizes[attribute] = size.count
        isUsed = true
      }
      guard isUsed else { throw wrong("has no effect: no row holds this attribute; remove it") }
    }
  }
}
