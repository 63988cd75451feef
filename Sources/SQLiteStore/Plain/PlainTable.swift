package import ObjectGraph

/// The table and columns of an entity, for access without a coordinator.
package final class PlainTable: Sendable {
  /// The stored form of a column.
  package enum Kind: Sendable {
    case attribute(AttributeType)
    /// The key of a row of the entity at this index of the model. If the row may be of a subentity,
    /// a second column holds the number of its entity.
    case toOne(Int32, kindColumn: String?)
    /// Not stored: reads return this value.
    case transient(Value)
  }

  package struct Column: Sendable {
    /// The name in SQLite, unquoted.
    package let name: String
    package let kind: Kind
  }

  package let entity: Entity
  /// The name in SQLite, unquoted.
  package let name: String
  /// The value of `Z_ENT`.
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
