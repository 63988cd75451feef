import Support
import ObjectGraph
import TestSupport
import Testing

/// No mutation of a valid format may crash. It is parsed, or reported at a position inside it.
@Suite("Mutated predicate formats") struct MutatedFormatTests {
  private static let pieces = [
    "(", ")", "{", "}", "[", "]", "[cd]", ",", ".", "@count", "@sum", "$x", "$", "#", "%", "%@",
    "%K", "%d", "\"", "'", "\\", "-", "+", "**", ":=", "!", "&&", "||", "=<", "AND", "or", "NOT ",
    "ANY ", "SUBQUERY(", "BETWEEN", "IN", "LIKE", "MATCHES", "SELF", "nil", "TRUEPREDICATE",
    "name", "size", "cities", "country", "0x", "1e999", "9223372036854775808", "-", "[SIZE]",
    " ", "\n", "\u{0}", "é", "e\u{301}", "🏙", "\u{200D}",
  ]

  @Test func `no mutated format crashes, and an error's position lies inside the format`() throws {
    var random = SplitMix64(seed: 1_101)
    var (read, refused) = (0, 0)
    for round in 0..<RandomRuns.share(of: 4_000) {
      var predicates = RandomPredicates(seed: UInt64(round))
      predicates.objects = (0..<3).map {
        ManagedObjectID(store: 1, entityIndex: $0, primaryKey: Int64($0) + 1)
      }
      let entity = random.pick([Atlas.city, Atlas.country, Atlas.tag])
      let (valid, arguments) = predicates.predicate(of: entity).format(of: entity, in: Atlas.model)
      let format = mutated(valid, by: &random)
      do {
        _ = try FetchPredicate(
          format: format, entity, in: Atlas.model, arguments: arguments.map(Optional.some))
        read += 1
      } catch let error as PredicateFormatError {
        refused += 1
        let length = format.unicodeScalars.count
        #expect(
          (0...length).contains(error.position) && !error.message.isEmpty,
          "round \(round): \(error.message) at \(error.position) of \(format)")
        #expect(error.description.hasSuffix("^"), "round \(round): \(format)")
      }
    }
    // Both must occur, or the mutations test nothing.
    #expect(read > 0 && refused > read)
  }

  private func mutated(_ format: String, by random: inout SplitMix64) -> String {
    var scalars = Array(format.unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...scalars.count, using: &random)
      let end = min(scalars.count, place + Int.random(in: 0...4, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: scalars.removeSubrange(place..<end)
      case 1: scalars.insert(contentsOf: random.pick(Self.pieces).unicodeScalars, at: place)
      case 2: scalars.replaceSubrange(place..<end, with: random.pick(Self.pieces).unicodeScalars)
      default: scalars.insert(contentsOf: Array(scalars[place..<end]), at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
