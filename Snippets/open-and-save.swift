//! Opens a store, saves objects, and reads them in another context.

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

// Creates the file if there is none.
let store = try SQLiteCoordinator(
  StoreConfiguration(url: folder.appending(path: "cities.sqlite"), mode: .pool),
  model: Model([city]))

// An object is used on the queue of its context only.
let worker = ManagedObjectContext(
  name: "worker", queue: PrivateQueue(label: "worker"), parent: .coordinator(store))
try worker.performAndWait {
  for (title, people) in [("Oslo", 717_710), ("Lima", 10_092_000)] as [(String, Int64)] {
    let object = worker.insert(city)
    object[name] = title
    object[population] = people
  }
  try worker.save()
}

let main = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(store))
try main.performAndWait {
  for object in try main.fetch(FetchRequest(city, sortedBy: [name.ascending])) {
    print(object[name], object[population])
  }
}

try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// Lima 10092000
// Oslo 717710
