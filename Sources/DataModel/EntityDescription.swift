/// An entity as a scenario file describes it. Inherited properties are not listed again.
package struct EntityDescription: Hashable, Sendable {
  package let name: String
  package var parent: String?
  package var isAbstract = false
  package var attributes: [AttributeDescription] = []
  package var relationships: [RelationshipDescription] = []
  /// Lists of attributes and to-one relationships. No two rows may hold the same values in one.
  package var uniquenessConstraints: [[String]] = []

  package init(name: String) {
    self.name = name
  }
}
