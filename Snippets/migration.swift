//! Opens a store of an older model, whose attribute had another name.

import Foundation
import ObjectGraph
import Queues
import SQLiteStore

let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
var configuration = StoreConfiguration(url: folder.appending(path: "cities.sqlite"), mode: .pool)

let old = try Entity(name: "City", attributes: [AttributeDescription("title", .string)])
let oldStore = try SQLiteCoordinator(configuration, model: Model([old]))
let oldContext = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(oldStore))
try oldContext.performAndWait {
  oldContext.insert(old)[try AttributeKey<String>("title", of: old)] = "Oslo"
  try oldContext.save()
}
try oldStore.close()

let city = try Entity(
  name: "City",
  attributes: [
    AttributeDescription("name", .string, renamingIdentifier: "title"),
    AttributeDescription("population", .int64, defaultValue: .int64(0)),
  ])
let name = try AttributeKey<String>("name", of: city)
let population = try AttributeKey<Int64>("population", of: city)

do {
  _ = try SQLiteCoordinator(configuration, model: Model([city]))
} catch StoreError.otherModel {
  print("the store has another model")
}
configuration.migratesAutomatically = true
let store = try SQLiteCoordinator(configuration, model: Model([city]))
let main = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(store))
try main.performAndWait {
  for object in try main.fetch(FetchRequest(city)) { print(object[name], object[population]) }
}

try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// the store has another model
// Oslo 0
