package import DataModel
import Support
import Foundation

// seed, number ─▶ SplitMix64, a stream for each row ─▶ one value per attribute, in their order
//
// So row 7 of a hundred is row 7 of a million, and a smoke size is the beginning of the full size.
// The data imitate no real persons: words are syllables, and numbers are uniform.

/// Makes an entity's rows from a seed, the same on every machine.
package struct RowGenerator: Sendable {
  /// Part of the digest of generated rows. Change it with the algorithm.
  package static let version = "topobench rows 1"

  private let entity: RowDescription
  private let seed: UInt64

  package init(_ entity: RowDescription, seed: UInt64) {
    self.entity = entity
    self.seed = seed
  }

  /// - Parameter index: the entity's index in the scenario; the list's is 0.
  init(_ entity: RowDescription, of generation: Generation, index: Int) {
    self.init(entity, seed: UInt64(generation.seed) &+ UInt64(index) &* 1_000_003)
  }

  /// The number from 1, a text of eight digits that sorts the same, or a UUID that lies anywhere in
  /// an index.
  ///
  /// - Parameter number: from 0.
  package func key(_ number: Int) -> Value {
    if entity.key.type == .uuid {
      var random = SplitMix64(seed: seed, stream: UInt64(number) &* 2)
      return .uuid(UUID(random.next(), UInt64(number) + 1))
    }
    guard entity.key.type == .string else { return .int64(Int64(number) + 1) }
    let digits = String(number + 1)
    return .string(String(repeating: "0", count: max(0, 8 - digits.count)) + digits)
  }

  package func row(_ number: Int) -> Row {
    var random = SplitMix64(seed: seed, stream: UInt64(number) &* 2)
    let values = entity.attributes.indices.map { index in
      let value = value(ofAttribute: index, &random)
      return index == entity.keyIndex ? key(number) : value
    }
    return Row(values)
  }

  /// - Precondition: the entity has an attribute besides its key.
  package func changed(_ row: Row, _ number: Int) -> Row {
    var random = SplitMix64(seed: seed, stream: UInt64(number) &* 2 + 1)
    let others = entity.attributes.indices.filter { $0 != entity.keyIndex }
    let index = others[random.next(below: others.count)]
    let value = value(ofAttribute: index, &random)
    var changed = row
    changed[index] =
      value == row[index] ? row[index].stepped(1, entity.attributes[index].type) : value
    return changed
  }

  /// One in eight values of an optional attribute is null.
  private func value(ofAttribute index: Int, _ random: inout SplitMix64) -> Value {
    let (attribute, size) = (entity.attributes[index], entity.sizes[index])
    if attribute.isOptional, random.next(below: 8) == 0 { return .null }
    return switch attribute.type {
    case .int64: .int64(Int64(random.next(below: 1_000_000)))
    // Hundredths, so that the value is exact in decimal.
    case .double: .double(Double(random.next(below: 10_000_000)) / 100)
    case .bool: .bool(random.next(below: 2) == 1)
    case .string: .string(Self.words(&random, count: size ?? 2))
    // Whole seconds from 2001 to 2032.
    case .date: .date(secondsSince2001: Double(random.next(below: 1_000_000_000)))
    case .data: .data(size.map { Self.bytes(&random, count: $0) } ?? Self.bytes(&random))
    case .decimal:
      .decimal(StoredDecimal(number: Double(random.next(below: 10_000_000)) / 100))
    case .uuid: .uuid(UUID(random.next(), random.next()))
    case .uri: .uri("https://example.com/\(Self.word(&random))/\(random.next(below: 1_000_000))")
    }
  }

  /// Words of two to four syllables: `Marole Tisu`.
  static func words(_ random: inout SplitMix64, count: Int = 2) -> String {
    (0..<count).map { _ in word(&random) }.joined(separator: " ")
  }

  private static func word(_ random: inout SplitMix64) -> String {
    var word: [UInt8] = []
    for _ in 0..<(2 + random.next(below: 3)) {
      word.append(consonants[random.next(below: consonants.count)])
      word.append(vowels[random.next(below: vowels.count)])
    }
    // Makes the first letter a capital.
    word[0] -= 32
    return String(decoding: word, as: UTF8.self)
  }

  // Bytes, because a million rows of characters take long.
  private static let consonants = Array("bdfgklmnprstvz".utf8)
  private static let vowels = Array("aeiou".utf8)

  private static func bytes(_ random: inout SplitMix64) -> Data {
    let count = 16 + random.next(below: 49)
    return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  /// Repeats 64 drawn bytes: a store does not compress them, and drawing all of a photo takes long.
  private static func bytes(_ random: inout SplitMix64, count: Int) -> Data {
    var data = Data((0..<min(count, 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    while data.count < count { data.append(data.prefix(count - data.count)) }
    return data
  }
}
