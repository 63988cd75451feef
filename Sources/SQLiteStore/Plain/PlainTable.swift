package import ObjectGraph

/// Where the rows of an entity lie in a store, for who reads and writes them without a coordinator.
package final class PlainTable: Sendable {
  /// What a column of an entity is kept as.
  package enum Kind: Sendable {
    case attribute(AttributeType)
    /// The key of another row of an entity, by its place in the model; where that can be of several
    /// entities, a second column holds the number of the row's.
    case toOne(Int32, kindColumn: String?)
    /// Nowhere: what is read is this.
    case transient(Value)
  }

  package struct Column: Sendable {
    /// As SQLite knows it, unquoted.
    package let name: String
    package let kind: Kind
  }

  package let entity: Entity
  /// As SQLite knows it, unquoted.
  package let name: String
  /// What `Z_ENT` holds.
  package let number: Int64
  /// In the order of the entity's columns.
  package let columns: [Column]

  /// - Throws: `StoreError.nameTaken` if two names of the model differ by case only.
  package init(_ entity: Entity, in model: Model) throws {
    let table = try Schema(model).table(of: entity)
    let toOne = model.resolved[model.index(of: entity)].toOne
    self.entity = entity
    name = table.name
    number = Int64(table.number)
    columns = table.layouts.enumerated().map { index, layout in
      switch layout.storage {
      case .attribute(let type): Column(name: layout.name, kind: .attribute(type))
      case .toOne(let entity):
        Column(name: layout.name, kind: .toOne(entity, kindColumn: nil))
      case .toOneOfKind(let kind):
        Column(
          name: layout.name,
          kind: .toOne(Int32(toOne[index]?.destination ?? 0), kindColumn: kind))
      case .transient(let value): Column(name: layout.name, kind: .transient(value))
      }
    }
  }
}
