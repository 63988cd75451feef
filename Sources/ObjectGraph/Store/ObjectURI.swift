public import Foundation

// The name of an object outside the program, as Core Data writes it:
//
//   x-coredata://5E1C…/City/p42       store, entity, primary key

extension PersistentStoreCoordinator {
  /// What names the object in other processes and later runs; nil for a temporary ID, which names
  /// nothing there.
  public func uriRepresentation(of id: ManagedObjectID) -> URL? {
    guard !id.isTemporary else { return nil }
    let entity = model.entities[Int(id.entityIndex)].name
    return URL(string: "x-coredata://\(storeIdentifier)/\(entity)/p\(id.primaryKey)")
  }

  /// The ID that this names; nil if it is no such URI, of another store, or of an entity that the
  /// model does not have. Whether there is such a row is not asked.
  public func objectID(forURI uri: URL) -> ManagedObjectID? {
    let parts = uri.pathComponents
    guard uri.scheme == "x-coredata", parts.count == 3, parts[2].first == "p",
      uri.host()?.caseInsensitiveCompare(storeIdentifier) == .orderedSame,
      let entity = model.entity(named: parts[1]), let key = Int64(parts[2].dropFirst()), key > 0
    else { return nil }
    return ManagedObjectID(
      store: storeNumber, entityIndex: Int32(model.index(of: entity)), primaryKey: key)
  }
}
