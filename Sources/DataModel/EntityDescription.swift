/// An entity as a scenario file describes it, without inherited properties.
package struct EntityDescription: Hashable, Sendable {
  package let name: String
  package var parent: String?
  package var isAbstract = false
  package var attributes: [AttributeDescription] = []
  package var relationships: [RelationshipDescription] = []
  /// Attributes and to-one relationships whose values are unique together.
  package var uniquenessConstraints: [[String]] = []

  package init(name: String) {
    self.name = name
  }
}
