/// A new value for the column at this index.
public struct FieldChange: Sendable, Hashable {
  public let index: Int
  public let value: Value

  public init(index: Int, value: Value) {
    self.index = index
    self.value = value
  }
}

/// How a worker finds the objects of rows that change.
public enum Lookup: String, Sendable, CaseIterable {
  /// One fetch for each changed row.
  case perObject = "per-object"
  /// One fetch with an `IN` list for each batch.
  case perBatch = "per-batch"
  /// Like `perBatch`, but without a fetch of inserted rows: a uniqueness constraint finds existing
  /// ones, and the merge policy updates them.
  case constraint
}
