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
  /// Like `perBatch`, but the rows of upserts are not fetched. A uniqueness constraint finds those
  /// that exist, and the merge policy updates them.
  case constraint
}
