/// What to fetch, in which order, and how many.
public struct FetchRequest: Sendable {
  public var entity: Entity
  public var predicate: FetchPredicate?
  /// Applied in order; ties fall to the object ID. Empty: no order is promised.
  public var sortDescriptors: [SortTerm]
  /// The most objects to return; nil for all.
  public var limit: Int?
  /// How many of the first objects to pass over. Exact where nothing is pending; with pending
  /// changes it passes over stored rows, and the pending ones are laid over what is left, as in Core
  /// Data.
  public var offset = 0
  /// How many rows a `FetchedBatches` reads at a time; 0 for all at once.
  public var batchSize = 0
  /// Whether unregistered objects come back as faults, their rows left in the coordinator's row
  /// cache (the default, as in Core Data), or realised.
  public var returnsObjectsAsFaults = true
  /// Whether rows are read at all. If not, only IDs are: each object's fault is SQL.
  public var includesPropertyValues = true
  /// Whether objects of the entity's subentities count too.
  public var includesSubentities = true
  /// Whether what contexts have changed and not saved is matched. If not, the objects are those that
  /// match as they are stored, deleted ones too; their values are still those that they have here.
  public var includesPendingChanges = true
  /// Of no effect: objects that are registered keep their values when they are fetched again. So it
  /// is in Core Data, whatever its documentation says (FB7419788); refresh them instead.
  public var shouldRefreshRefetchedObjects = false
  /// Relationships whose objects are to be read with the fetched ones: one query for each step of a
  /// path, not one for each object. On a child context they are not honoured, as in Core Data.
  public var relationshipKeyPathsForPrefetching: [PredicatePath] = []

  public init(
    _ entity: Entity, where predicate: FetchPredicate? = nil,
    sortedBy sortDescriptors: [SortTerm] = [], limit: Int? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }

  /// Whether objects of an entity can match.
  func covers(_ other: Entity) -> Bool {
    includesSubentities ? other.isKind(of: entity) : other === entity
  }
}
