package import ObjectGraph

// Sibling entities with properties of the same name cannot share a column:
//
//   Note                ZTITLE
//   ├ Memo   title                 in Core Data's own stores: ZTITLE, ZTITLE1, ZTITLE2, …
//   └ Letter title      ZTITLE1

struct RootTable: Sendable {
  struct Declaration: Sendable {
    let entityIndex: Int
    let column: Column
    /// For relationships.
    let destination: Int?
    let layout: ColumnLayout
  }

  let entity: Entity
  let entityIndex: Int
  /// Unquoted.
  let name: String
  /// Parents before their subentities.
  let declarations: [Declaration]

  /// - Throws: `StoreError.nameTaken` if two properties of one entity differ by case only.
  init(_ root: ResolvedEntity, in model: Model) throws {
    entity = root.entity
    entityIndex = root.index
    name = "Z" + root.entity.name.uppercased()
    var naming = ColumnNaming()
    var declarations: [Declaration] = []
    func order(_ index: Int) -> (Int, Int) { (model.entities[index].ancestry.count, index) }
    for index in root.kinds.sorted(by: { order($0) < order($1) }) {
      let resolved = model.resolved[index]
      let inherited = resolved.entity.parent?.columns.count ?? 0
      for columnIndex in resolved.entity.columns.indices.dropFirst(inherited) {
        let column = resolved.entity.columns[columnIndex]
        let layout = try naming.layout(
          column, leadingTo: resolved.toOne[columnIndex].map { model.resolved[$0.destination] },
          of: resolved.entity)
        declarations.append(
          Declaration(
            entityIndex: index, column: column,
            destination: resolved.toOne[columnIndex]?.destination, layout: layout))
      }
    }
    self.declarations = declarations
  }

  func layouts(of entity: Entity, in model: Model) -> [ColumnLayout] {
    entity.ancestry.flatMap { ancestor in
      let index = model.index(of: ancestor)
      return declarations.filter { $0.entityIndex == index }.map(\.layout)
    }
  }
}

extension Entity {
  /// Topmost first, this entity last.
  var ancestry: [Entity] { (parent?.ancestry ?? []) + [self] }
}

package struct ColumnLayout: Sendable, Hashable {
  package enum Storage: Sendable, Hashable {
    case attribute(AttributeType)
    /// The key of a target of the entity at this index.
    case toOne(Int32)
    /// The target may be of a subentity. A second column holds its entity number.
    case toOneOfKind(Int32, column: String)
    /// Reading gives the default value.
    case transient(Value)
  }

  /// Unquoted.
  package let name: String
  package let storage: Storage

  /// Unquoted.
  package var stored: [(name: String, type: String)] {
    switch storage {
    case .attribute(let type): [(name, type.columnType)]
    case .toOne: [(name, "INTEGER")]
    case .toOneOfKind(_, let column): [(name, "INTEGER"), (column, "INTEGER")]
    case .transient: []
    }
  }
}

private struct ColumnNaming {
  private var taken: Set<String> = []
  /// By the column name that the property wants.
  private var owners: [String: [(entity: Entity, property: String)]] = [:]

  mutating func layout(
    _ column: Column, leadingTo target: ResolvedEntity?, of entity: Entity
  ) throws -> ColumnLayout {
    let wanted = "Z" + column.name.uppercased()
    let owner = "\(entity.name).\(column.name)"
    if ["Z_PK", "Z_ENT", "Z_OPT"].contains(wanted) {
      throw StoreError.nameTaken(wanted, by: "the store itself", and: owner)
    }
    if let other = owners[wanted]?.first(where: { entity.isKind(of: $0.entity) }) {
      throw StoreError.nameTaken(wanted, by: "\(other.entity.name).\(other.property)", and: owner)
    }
    owners[wanted, default: []].append((entity, column.name))
    if case .attribute(let attribute) = column, attribute.isTransient {
      return ColumnLayout(name: wanted, storage: .transient(attribute.defaultValue))
    }
    let name = take(wanted)
    guard let target else {
      return ColumnLayout(name: name, storage: .attribute(column.attribute?.type ?? .int64))
    }
    guard target.kinds.count > 1 else {
      return ColumnLayout(name: name, storage: .toOne(Int32(target.index)))
    }
    let kind = take("Z\(target.index + 1)_" + column.name.uppercased())
    return ColumnLayout(name: name, storage: .toOneOfKind(Int32(target.index), column: kind))
  }

  private mutating func take(_ wanted: String) -> String {
    var name = wanted
    var number = 0
    while !taken.insert(name).inserted {
      number += 1
      name = wanted + String(number)
    }
    return name
  }
}

extension AttributeType {
  fileprivate var columnType: String {
    switch self {
    case .int64, .bool: "INTEGER"
    case .double, .date, .decimal: "REAL"
    case .string, .uri: "TEXT"
    case .data, .uuid: "BLOB"
    }
  }
}
