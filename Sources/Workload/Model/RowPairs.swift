package import DataModel
import Support

// Pairs of a many-to-many relationship, which the store holds from the beginning:
//
//   Contact.groups ⇄ Group.contacts     pairs: memberships.csv      contact,group
//                                                                   C7,friends
//
// No change of the stream adds a pair. A pair ends with either of its rows.

/// The pairs that `model:` names for one side of a relationship.
struct PairsDescription: Sendable, Equatable {
  enum Source: Sendable, Equatable {
    /// Relative to the scenario file.
    case file(String)
    /// How many objects each row is related to.
    case made(Int)
  }

  let entity: String
  let relationship: String
  let source: Source

  var path: String { "model.\(entity).relationships.\(relationship)" }
}

/// A many-to-many relationship between two entities with rows.
package struct RowPairs: Sendable, Equatable {
  /// The indexes among the scenario's entities.
  package let table: Int
  package let destination: Int
  package let relationship: String
  package let inverse: String
  /// Nil if the pairs are made from a seed.
  let file: String?
  let countEach: Int
}

/// The business keys of both rows.
package typealias KeyPair = (mine: Value, theirs: Value)

extension Scenario {
  static func pairs(
    _ values: FieldValues, _ entities: [RowDescription]
  ) throws(InputError) -> [RowPairs] {
    try values.model.pairs.map { (description) throws(InputError) in
      func wrong(_ message: String) -> InputError {
        values.model.error(at: description.path, "pairs: \(message)")
      }
      guard values.text("changes.stream") != StreamKind.replace.rawValue else {
        throw wrong(
          "changes.stream: replace makes all rows again, without pairs; choose another stream, or"
            + " remove the pairs")
      }
      var (file, count): (String?, Int) = (nil, 0)
      switch description.source {
      case .file(let path): file = try values.existingFile(path, wrong: wrong)
      case .made(let each): count = each
      }
      let ends = try description.ends(in: values.model, wrong: wrong)
      guard let table = entities.firstIndex(where: { $0.name == description.entity }),
        let destination = entities.firstIndex(where: { $0.name == ends.destination })
      else { throw wrong("both entities need rows; name them in `others`") }
      return RowPairs(
        table: table, destination: destination, relationship: description.relationship,
        inverse: ends.inverse, file: file, countEach: count)
    }
  }
}

extension PairsDescription {
  /// The entity at the other end, and its relationship back.
  fileprivate func ends(
    in model: ScenarioModel, wrong: (_ message: String) -> InputError
  ) throws(InputError) -> (destination: String, inverse: String) {
    guard let end = model.relationship(named: relationship, of: entity), end.isToMany,
      let inverse = end.inverse,
      model.relationship(named: inverse, of: end.destination)?.isToMany ?? false,
      inverse != relationship || end.destination != entity
    else { throw wrong("needs a relationship that is to-many on both sides; remove it") }
    let isDoubled = model.pairs.contains {
      $0.entity == end.destination && $0.relationship == inverse
    }
    guard !isDoubled else {
      throw wrong("\(end.destination).\(inverse) has pairs, too; keep one side's")
    }
    return (end.destination, inverse)
  }
}

extension RowPairs {
  /// Pairs of rows that the store holds before the changes.
  func made(_ tables: [TableRows], seed: Int, number: Int) -> [KeyPair] {
    let (mine, theirs) = (tables[table], tables[destination])
    let others = theirs.before.rows.map { $0[theirs.entity.keyIndex] }
    return mine.before.rows.enumerated().flatMap { index, row in
      var random = SplitMix64(
        seed: UInt64(seed), stream: UInt64(number + 2) << 40 + UInt64(index))
      var chosen: Set<Int> = []
      while chosen.count < min(countEach, others.count) {
        chosen.insert(random.next(below: others.count))
      }
      return chosen.sorted().map { (row[mine.entity.keyIndex], others[$0]) }
    }
  }

  /// - Throws: an error at the line of a bad key, or of one without a row.
  func read(
    _ bytes: [UInt8], file: String, isQuoted: Bool, _ tables: [TableRows], isCut: Bool
  ) throws(InputError) -> [KeyPair] {
    try bytes.withUnsafeBufferPointer { (buffer) throws(InputError) in
      var reader = try DataFileReader(buffer, file: file, isQuoted: isQuoted)
      guard try reader.next(), reader.fieldCount == 2 else {
        throw reader.error("needs two columns, the keys of both rows; correct the line")
      }
      var (pairs, seen): ([KeyPair], Set<[Value]>) = ([], [])
      while try reader.next() {
        guard reader.fieldCount == 2 else {
          throw reader.error("needs two fields; correct the line")
        }
        let keys = (
          try key(0, of: tables[table], reader), try key(1, of: tables[destination], reader)
        )
        if let mine = keys.0, let theirs = keys.1 {
          guard seen.insert([mine, theirs]).inserted else {
            throw reader.error("this pair occurs twice; remove the line")
          }
          pairs.append((mine, theirs))
        } else if !isCut {
          let missing = tables[keys.0 == nil ? table : destination].entity.name
          throw reader.error("\(missing) has no such row before the changes; remove the line")
        }
      }
      return pairs
    }
  }

  /// Nil if no row has the key before the changes.
  private func key(
    _ index: Int, of table: TableRows, _ reader: DataFileReader
  ) throws(InputError) -> Value? {
    let text = try reader.text(index) ?? ""
    guard let key = table.entity.key.value(of: text), key != .null else {
      throw reader.error("field \(index + 1) is no key of \(table.entity.name)")
    }
    return table.before[key] == nil ? nil : key
  }
}
