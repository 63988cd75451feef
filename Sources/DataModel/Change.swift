public import Foundation

/// One change of a row, or of several by a predicate.
///
/// Changes name rows by their business keys. A reference column (`RowEntity.references`) holds the
/// key of its target, or null. A row is inserted before another row refers to it.
public struct Change: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A new row, its values in the order of the entity's columns.
    case insert(ContiguousArray<Value>)
    /// New values for some columns of a row. Without fields, the row is only looked up.
    case update(key: Value, fields: [FieldChange])
    case delete(key: Value)
    /// A row that may exist, in the order of the entity's columns: looked up by its key, then
    /// inserted or updated where it differs.
    case upsert(ContiguousArray<Value>)
    /// Deletes every row that matches `RowEntity.deletion`.
    case deleteWhere
  }

  /// The entity's index in `TopologyEnvironment.rowEntities`. The first is the list's.
  public let entity: Int
  public let kind: Kind

  @inlinable public init(_ kind: Kind, of entity: Int = 0) {
    self.entity = entity
    self.kind = kind
  }
}

extension Change {
  public static func insert(_ row: ContiguousArray<Value>, of entity: Int = 0) -> Change {
    Change(.insert(row), of: entity)
  }

  public static func update(key: Value, fields: [FieldChange], of entity: Int = 0) -> Change {
    Change(.update(key: key, fields: fields), of: entity)
  }

  public static func delete(key: Value, of entity: Int = 0) -> Change {
    Change(.delete(key: key), of: entity)
  }

  public static func upsert(_ row: ContiguousArray<Value>, of entity: Int = 0) -> Change {
    Change(.upsert(row), of: entity)
  }

  public static func deleteWhere(of entity: Int = 0) -> Change { Change(.deleteWhere, of: entity) }

  /// The business key of the changed row; nil for a deletion by predicate.
  ///
  /// - Parameter index: the key's column.
  @inlinable public func key(at index: Int) -> Value? {
    switch kind {
    case .insert(let row), .upsert(let row): row[index]
    case .update(let key, _), .delete(let key): key
    case .deleteWhere: nil
    }
  }

  package var isDelete: Bool { if case .delete = kind { true } else { false } }

  package var isUpsert: Bool { if case .upsert = kind { true } else { false } }

  fileprivate var deletes: Bool { isDelete || kind == .deleteWhere }
}

extension [Change] {
  /// Each run ends with its deletions, so that a deleted row may arrive again in the next run.
  /// Without arriving rows, the batch is one run.
  package var runsUntilDeletions: [[Change]] {
    guard contains(where: \.isUpsert) else { return [self] }
    var runs: [[Change]] = []
    var start = startIndex
    for index in indices.dropFirst() where self[index - 1].deletes && !self[index].deletes {
      runs.append(Array(self[start..<index]))
      start = index
    }
    return runs + [Array(self[start...])]
  }
}

/// The changes that a topology applies and saves together.
public struct ChangeBatch: Sendable, Hashable {
  /// JSON arrays of nested records, which `RecordDecoder` decodes to upserts. They come before the
  /// changes.
  public var records: [Data]
  public var changes: [Change]

  public init(records: [Data] = [], changes: [Change] = []) {
    self.records = records
    self.changes = changes
  }
}
