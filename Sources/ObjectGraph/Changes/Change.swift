public import Foundation

/// One change of the stream that a topology applies in the background.
///
/// Changes name rows by their business keys. A reference column (``RowEntity/references``) holds
/// the key of its target, or null. A row exists before another row refers to it.
public enum Change: Sendable, Equatable {
  /// A new row, its values in the order of the entity's columns.
  case insert(ContiguousArray<Value>)
  /// New values for some columns of a row. Without fields, the row is only looked up.
  case update(key: Value, fields: [FieldChange])
  case delete(key: Value)
  /// An arriving row, in the order of the entity's columns: looked up by its key, then inserted or
  /// updated where it differs.
  case upsert(ContiguousArray<Value>)
  /// Deletes every row that matches.
  case deleteWhere(FetchPredicate)
  /// A JSON array of nested records, which `RecordDecoder` decodes to upserts.
  case records(Data)
  /// A change of another entity than the list's, by its index in
  /// `TopologyEnvironment.rowEntities`.
  indirect case of(Int, Change)
}

extension Change {
  /// The index of its entity, and the change without that index.
  public var withEntity: (entity: Int, change: Change) {
    if case .of(let entity, let change) = self { (entity, change) } else { (0, self) }
  }

  package var isRecords: Bool { if case .records = self { true } else { false } }

  /// Whether it is an upsert of any entity.
  package var isUpsert: Bool {
    switch self {
    case .upsert, .of(_, .upsert): true
    default: false
    }
  }
}

/// An entity whose rows the stream changes.
public struct RowEntity: Sendable {
  public let entity: Entity
  /// The index of the attribute that holds the business key.
  public let keyIndex: Int
  /// The to-one columns in which changes hold business keys. Changes leave other relationships
  /// alone.
  public let references: [RowReference]

  public init(_ entity: Entity, keyIndex: Int, references: [RowReference] = []) {
    self.entity = entity
    self.keyIndex = keyIndex
    self.references = references
  }

  /// The columns that an upsert sets.
  package var givenColumns: [Int] {
    entity.columns.indices.filter { column in
      entity.columns[column].attribute != nil || references.contains { $0.column == column }
    }
  }
}

/// A to-one column in which a change holds the business key of another row.
public struct RowReference: Sendable, Equatable {
  /// The column's index in its own entity.
  public let column: Int
  /// The index of the target's entity in `TopologyEnvironment.rowEntities`.
  public let destination: Int

  public init(column: Int, destination: Int) {
    self.column = column
    self.destination = destination
  }
}

extension [RowEntity] {
  /// By entity: whether a batch that inserts a row may name it again. Rows may refer to it, or an
  /// update may set its own references.
  package var mayBeNamedAgain: [Bool] {
    let destinations = Set(flatMap { $0.references.map(\.destination) })
    return indices.map { destinations.contains($0) || !self[$0].references.isEmpty }
  }
}
