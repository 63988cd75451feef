import ObjectGraph

// Siblings may have properties of one name, which cannot share a column: each is of another type or
// leads elsewhere. As Core Data does it, the later one's column gets a number:
//
//   Note                ZTITLE
//   ├ Memo   title                 in Core Data's own stores: ZTITLE, ZTITLE1, ZTITLE2, …
//   └ Letter title      ZTITLE1

/// The table of a hierarchy of entities: which columns it has, and whose they are.
struct RootTable: Sendable {
  /// A column that an entity of the hierarchy declares.
  struct Declaration: Sendable {
    /// The place of the declaring entity in the model.
    let entityIndex: Int
    let column: Column
    /// The place in the model of what a relationship leads to; nil for an attribute.
    let destination: Int?
    let layout: ColumnLayout
  }

  /// The topmost entity.
  let entity: Entity
  /// Its place in the model.
  let entityIndex: Int
  /// As SQLite knows it, unquoted.
  let name: String
  /// Those of a parent before those of its subentities.
  let declarations: [Declaration]

  /// - Throws: `StoreError.nameTaken` if two properties of one entity differ by case only.
  init(_ root: ResolvedEntity, in model: Model) throws {
    entity = root.entity
    entityIndex = root.index
    name = "Z" + root.entity.name.uppercased()
    var naming = ColumnNaming()
    var declarations: [Declaration] = []
    for index in root.kinds.sorted(by: { Self.depth($0, in: model) < Self.depth($1, in: model) }) {
      let resolved = model.resolved[index]
      let inherited = resolved.entity.parent?.columns.count ?? 0
      for place in resolved.entity.columns.indices.dropFirst(inherited) {
        let column = resolved.entity.columns[place]
        let layout = try naming.layout(
          column, leadingTo: resolved.toOne[place].map { model.resolved[$0.destination] },
          of: resolved.entity)
        declarations.append(
          Declaration(
            entityIndex: index, column: column,
            destination: resolved.toOne[place]?.destination, layout: layout))
      }
    }
    self.declarations = declarations
  }

  /// How the columns of one of the hierarchy's entities lie, in their order.
  func layouts(of entity: Entity, in model: Model) -> [ColumnLayout] {
    var ancestry: [Int] = []
    var next: Entity? = entity
    while let entity = next {
      ancestry.insert(model.index(of: entity), at: 0)
      next = entity.parent
    }
    return ancestry.flatMap { index in
      declarations.filter { $0.entityIndex == index }.map(\.layout)
    }
  }

  private static func depth(_ index: Int, in model: Model) -> (Int, Int) {
    var depth = 0
    var next = model.entities[index].parent
    while let entity = next {
      depth += 1
      next = entity.parent
    }
    return (depth, index)
  }
}

/// How a column of an entity lies in its table.
struct ColumnLayout: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case attribute(AttributeType)
    /// The key of the target, which can be of one entity only, by its place in the model.
    case toOne(Int32)
    /// The key of the target, and in a second column the number of its entity.
    case toOneOfKind(column: String)
    /// Nowhere: what is read is the default.
    case transient(Value)
  }

  /// Of the column, or of the key's column, unquoted.
  let name: String
  let storage: Storage

  /// All columns that it takes, unquoted, with their types.
  var stored: [(name: String, type: String)] {
    switch storage {
    case .attribute(let type): [(name, type.columnType)]
    case .toOne: [(name, "INTEGER")]
    case .toOneOfKind(let column): [(name, "INTEGER"), (column, "INTEGER")]
    case .transient: []
    }
  }
}

/// Gives out the column names of one hierarchy.
private struct ColumnNaming {
  private var taken: Set<String> = []
  /// By the name that a property would have to itself.
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
    return ColumnLayout(name: name, storage: .toOneOfKind(column: kind))
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
    case .double, .date: "REAL"
    case .string: "TEXT"
    case .data: "BLOB"
    }
  }
}
