//! Inserts rows without objects, and merges them into a list.

import Foundation
import ObjectGraph
import Queues
import SQLiteStore

let city = try Entity(
  name: "City",
  attributes: [AttributeDescription("name", .string), AttributeDescription("population", .int64)])
let name = try AttributeKey<String>("name", of: city)
let population = try AttributeKey<Int64>("population", of: city)

let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let store = try SQLiteCoordinator(
  StoreConfiguration(url: folder.appending(path: "cities.sqlite"), mode: .pool),
  model: Model([city]))
let main = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(store))
let worker = ManagedObjectContext(
  name: "worker", queue: PrivateQueue(label: "worker"), parent: .coordinator(store))

try main.performAndWait {
  let list = FetchedResultsController(
    FetchRequest(city, sortedBy: [name.ascending]), in: main)
  try list.performFetch()

  let result = try worker.performAndWait {
    var request = BatchRequest.insert(
      city,
      objects: (1...3).map { ["name": .string("City \($0)"), "population": .int64($0 * 1000)] })
    request.returnsObjectIDs = true
    return try worker.execute(request)
  }
  print("\(result.count) rows inserted, \(list.count) in the list")

  // A batch request posts no did-save, so its IDs are merged.
  try main.mergeChanges(
    fromRemoteContextSave: ChangedObjectIDs(inserted: result.objectIDs ?? []))
  print("merged:", list.fetchedObjects.map { $0[name] })
}

try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// 3 rows inserted, 0 in the list
// merged: ["City 1", "City 2", "City 3"]
