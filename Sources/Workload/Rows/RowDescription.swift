package import DataModel

extension AttributeDescription {
  /// `string`, or `string?` if optional.
  package var typeName: String { type.rawValue + (isOptional ? "?" : "") }

  func isSameColumn(as other: AttributeDescription) -> Bool {
    name == other.name && typeName == other.typeName
  }
}

/// One value per column, in the order of ``RowDescription/columns``.
package typealias Row = ContiguousArray<Value>

/// A to-one relationship as a column: it holds the business key of its target, or null.
package struct Reference: Equatable, Sendable {
  /// The relationship's name and the type of the destination's key. Optional if it may be empty.
  package let column: AttributeDescription
  package let destination: String
}

/// The columns of an entity's data files. Outside a store a row is identified by its business key,
/// never by an object ID.
package struct RowDescription: Equatable, Sendable {
  package let name: String
  package let attributes: [AttributeDescription]
  /// The key is `int64`, `string` or `uuid`, and not optional.
  package let keyIndex: Int
  /// They follow the attributes in a row.
  package internal(set) var references: [Reference]
  /// The bytes or words of a generated value, by the attribute's index.
  package internal(set) var sizes: [Int: Int] = [:]

  package init(
    name: String, attributes: [AttributeDescription], keyIndex: Int, references: [Reference] = []
  ) {
    precondition(attributes.indices.contains(keyIndex), "the key of \(name) is no attribute of it")
    self.name = name
    self.attributes = attributes
    self.keyIndex = keyIndex
    self.references = references
  }

  package var key: AttributeDescription { attributes[keyIndex] }

  package var columns: [AttributeDescription] { attributes + references.map(\.column) }
}

extension [RowDescription] {
  /// Destinations before the entities that refer to them. The file's order decides ties and
  /// circles.
  var destinationsFirst: [Int] {
    let places = Dictionary(zip(map(\.name), indices)) { first, _ in first }
    let destinations = indices.map { index in
      self[index].references.compactMap { places[$0.destination] }.filter { $0 != index }
    }
    var order: [Int] = []
    var left = Array<Int>(indices)
    var isLeft = Array<Bool>(repeating: true, count: count)
    while !left.isEmpty {
      let free = left.firstIndex { destinations[$0].allSatisfy { !isLeft[$0] } }
      let index = left.remove(at: free ?? 0)
      isLeft[index] = false
      order.append(index)
    }
    return order
  }
}

package struct ListOrder: Equatable, Sendable {
  package struct Term: Equatable, Sendable {
    package let attribute: Int
    package var isDescending = false
    package var comparison = TextComparison.bytes
  }

  /// The scenario's terms, then the key if it is not among them, so that no two rows are equal.
  package let terms: [Term]

  init(_ terms: [Term], keyIndex: Int) {
    let isTotal = terms.contains { $0.attribute == keyIndex }
    self.terms = isTotal ? terms : terms + [Term(attribute: keyIndex)]
  }

  /// SQLite's order: null first (last if descending), numbers by value, text as each term says.
  package func isOrdered(_ a: Row, before b: Row) -> Bool {
    for term in terms {
      let order = term.comparison.order(a[term.attribute], b[term.attribute])
      if order != 0 { return (order < 0) != term.isDescending }
    }
    return false
  }
}
