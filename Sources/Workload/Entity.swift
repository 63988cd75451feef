/// What an attribute can hold. In a CSV file: `int64` and `double` in decimal, `bool` as `true`,
/// `false`, `1` or `0`, `date` as ISO 8601 UTC, `data` as base64.
package enum AttributeKind: String, CaseIterable, Sendable {
  case int64, double, bool, string, date, data
}

/// One column of the data set, one property of the managed object.
package struct Attribute: Equatable, Sendable {
  package let name: String
  package let kind: AttributeKind
  package let isOptional: Bool

  package init(name: String, kind: AttributeKind, isOptional: Bool) {
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
  }

  /// As scenario files write it: `string`, or `string?` for an optional one.
  package var typeName: String { kind.rawValue + (isOptional ? "?" : "") }
}

/// A to-one relationship as a column: it holds the business key of what it leads to, or null.
package struct Reference: Equatable, Sendable {
  /// The relationship's name, and the type of the destination's key; optional if it may be empty.
  package let column: Attribute
  /// The entity that it leads to, which has rows.
  package let destination: String

  package init(column: Attribute, destination: String) {
    self.column = column
    self.destination = destination
  }
}

/// What a row is. Its business key, never an object ID, is what rows are known by outside a store.
package struct Entity: Equatable, Sendable {
  package let name: String
  package let attributes: [Attribute]
  /// The key's place in ``attributes``. The key is `int64` or `string`, and not optional.
  package let keyIndex: Int
  /// In a row they follow the attributes.
  package let references: [Reference]

  package init(
    name: String, attributes: [Attribute], keyIndex: Int, references: [Reference] = []
  ) {
    precondition(attributes.indices.contains(keyIndex), "the key of \(name) is no attribute of it")
    self.name = name
    self.attributes = attributes
    self.keyIndex = keyIndex
    self.references = references
  }

  package var key: Attribute { attributes[keyIndex] }

  /// What a row holds, in its order: the columns of a data file.
  package var columns: [Attribute] { attributes + references.map(\.column) }

  package func index(ofAttribute name: String) -> Int? {
    attributes.firstIndex { $0.name == name }
  }
}

/// The total order of the list on screen.
package struct ListOrder: Equatable, Sendable {
  package struct Term: Equatable, Sendable {
    package let attribute: Int
    package let isDescending: Bool

    package init(attribute: Int, isDescending: Bool = false) {
      self.attribute = attribute
      self.isDescending = isDescending
    }
  }

  /// The terms the scenario states and, unless it is among them, the key: no two rows are equal.
  package let terms: [Term]

  package init(_ terms: [Term], keyIndex: Int) {
    let isTotal = terms.contains { $0.attribute == keyIndex }
    self.terms = isTotal ? terms : terms + [Term(attribute: keyIndex)]
  }

  /// SQLite's order: null first (last where descending), numbers by value, text by UTF-8 bytes.
  package func isOrdered(_ a: Row, before b: Row) -> Bool {
    for term in terms where a[term.attribute] != b[term.attribute] {
      return (a[term.attribute] < b[term.attribute]) != term.isDescending
    }
    return false
  }
}
