public import Foundation
public import ObjectGraph

/// One change of the stream that a topology applies in the background.
///
/// Rows are known by their business key. In a to-one column stands the business key of the row that it
/// leads to, or null: which columns these are, ``RowEntity/references`` says. A row is there before
/// another names it.
public enum Change: Sendable, Equatable {
  /// A new row, its values in the order of the entity's columns.
  case insert(ContiguousArray<Value>)
  /// New values for some columns of the row with this business key.
  case update(key: Value, fields: [FieldChange])
  case delete(key: Value)
  /// A whole row as it arrives, in the order of the entity's columns: found by its key and set where
  /// it differs, or inserted.
  case upsert(ContiguousArray<Value>)
  /// Every row that matches is deleted.
  case deleteWhere(FetchPredicate)
  /// A JSON array of nested records: `RecordDecoder` says what they come to.
  case records(Data)
  /// The same of a row of another entity than the list's: by its place in
  /// ``TopologyEnvironment/rowEntities``.
  indirect case of(Int, Change)
}

extension Change {
  /// Whose row it changes, and the change without the mention of it.
  public var withEntity: (entity: Int, change: Change) {
    if case .of(let entity, let change) = self { (entity, change) } else { (0, self) }
  }

  var isRecords: Bool { if case .records = self { true } else { false } }

  /// Whether it is one, of whatever entity.
  var isUpsert: Bool {
    switch self {
    case .upsert, .of(_, .upsert): true
    default: false
    }
  }
}

/// An entity whose rows the stream changes.
public struct RowEntity: Sendable {
  public let entity: Entity
  /// The index of the attribute that names a row outside this process.
  public let keyIndex: Int
  /// The to-one columns in which changes hold business keys; other relationships they leave alone.
  public let references: [RowReference]

  public init(_ entity: Entity, keyIndex: Int, references: [RowReference] = []) {
    self.entity = entity
    self.keyIndex = keyIndex
    self.references = references
  }
}

/// A to-one column in which a change holds the business key of another row.
public struct RowReference: Sendable, Equatable {
  /// The column's index in its own entity.
  public let column: Int
  /// The place of the other row's entity in ``TopologyEnvironment/rowEntities``.
  public let destination: Int

  public init(column: Int, destination: Int) {
    self.column = column
    self.destination = destination
  }
}

extension [RowEntity] {
  /// By entity: whether the batch that inserts a row may name it again: by rows that refer to it or, if it
  /// refers to others itself, by an update that does so afterwards.
  var mayBeNamedAgain: [Bool] {
    let destinations = Set(flatMap { $0.references.map(\.destination) })
    return indices.map { destinations.contains($0) || !self[$0].references.isEmpty }
  }
}
