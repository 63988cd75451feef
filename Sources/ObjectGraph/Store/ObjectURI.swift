public import Foundation

// An object's URI outside the program, in Core Data's form:
//
//   x-coredata://5E1C…/City/p42       store, entity, primary key

extension PersistentStoreCoordinator {
  /// For other processes and later runs; nil for a temporary ID, and for one of another store.
  public func uriRepresentation(of id: ManagedObjectID) -> URL? {
    guard !id.isTemporary, id.isOf(store: storeNumber) else { return nil }
    let entity = model.entities[Int(id.entityIndex)].name
    return URL(string: "x-coredata://\(storeIdentifier)/\(entity)/p\(id.primaryKey)")
  }

  /// Nil if it is no object URI, or its store or entity is unknown. The row need not exist.
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
