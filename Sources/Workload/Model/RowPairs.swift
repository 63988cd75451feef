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
    let model = values.model
    return try model.pairs.map { (description) throws(InputError) in
      func wrong(_ message: String) -> InputError {
        model.error(at: description.path, "pairs: \(message)")
      }
      let (entity, name) = (description.entity, description.relationship)
      guard let relationship = model.relationship(named: name, of: entity), relationship.isToMany,
        let inverse = relationship.inverse,
        model.relationship(named: inverse, of: relationship.destination)?.isToMany ?? false,
        inverse != name || relationship.destination != entity
      else {
        throw wrong("needs a relationship that is to-many on both sides; remove it")
      }
      guard
        !model.pairs.contains(where: {
          $0.entity == relationship.destination && $0.relationship == inverse
        })
      else { throw wrong("\(relationship.destination).\(inverse) has pairs, too; keep one side's") }
      guard let table = entities.firstIndex(where: { $0.name == entity }),
        let destination = entities.firstIndex(where: { $0.name == relationship.destination })
      else { throw wrong("both entities need rows: name them in `others`") }
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
      return RowPairs(
        table: table, destination: destination, relationship: name, inverse: inverse, file: file,
        countEach: count)
    }
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
