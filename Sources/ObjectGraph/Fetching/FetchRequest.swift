/// The objects to fetch, their order and number.
///
/// Example: `Snippets/fetch-with-a-predicate.swift`.
public struct FetchRequest: Sendable {
  public var entity: Entity
  public var predicate: FetchPredicate?
  /// Objects that sort equally come in order of ID. Without terms the order is undefined.
  public var sortTerms: [SortTerm]
  /// The most objects; nil for all. 0 means nil, as in Core Data, whose default is 0.
  public var limit: Int? {
    didSet { if limit == 0 { limit = nil } }
  }
  /// How many rows the store skips. Pending objects are added to the rest, as in Core Data.
  public var offset = 0
  /// The rows that a `FetchedBatches` or a list reads at a time; 0 for all.
  public var batchSize = 0
  /// Whether unregistered objects are returned as faults with cached rows, as in Core Data.
  public var returnsObjectsAsFaults = true
  /// Whether rows are read. Otherwise each object's fault reads SQLite.
  public var includesPropertyValues = true
  /// Whether objects of subentities match too.
  public var includesSubentities = true
  /// Whether unsaved changes affect matching. Otherwise stored values decide, even for objects
  /// deleted here.
  public var includesPendingChanges = true
  /// Has no effect, as in Core Data (FB7419788): registered objects keep their values. Call
  /// `refresh`.
  public var shouldRefreshRefetchedObjects = false
  /// Relationships to read too, with one query per step of a path. Ignored on a child context, as
  /// in Core Data.
  public var relationshipKeyPathsForPrefetching: [PredicatePath] = []

  public init(
    _ entity: Entity, where predicate: FetchPredicate? = nil,
    sortedBy sortTerms: [SortTerm] = [], limit: Int? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortTerms = sortTerms
    self.limit = limit == 0 ? nil : limit
  }

  func covers(_ other: Entity) -> Bool {
    includesSubentities ? other.isKind(of: entity) : other === entity
  }
}
