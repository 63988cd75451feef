//! Merges what a worker saved into the context of the main queue, and settles a conflict.

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

// The observer runs on the worker's queue. `automaticallyMergesChangesFromParent` on main merges
// each save without an observer.
let saves = Lock<[DidSave]>([])
worker.observeDidSave { save in saves.withLock { $0.append(save) } }

try main.performAndWait {
  let object = main.insert(city)
  object[name] = "Oslo"
  object[population] = 700_000
  try main.save()

  try worker.performAndWait {
    for object in try worker.fetch(FetchRequest(city)) { object[population] = 717_710 }
    try worker.save()
  }
  print("before the merge:", object[population])
  for save in saves.withLock({ $0 }) { try main.mergeChanges(fromContextDidSave: save) }
  print("after the merge:", object[population])

  // The worker changes the value that main edits. Without a policy, main's save would fail.
  object[population] = 720_000
  try worker.performAndWait {
    for object in try worker.fetch(FetchRequest(city)) { object[population] = 1 }
    try worker.save()
  }
  main.mergePolicy = .objectTrump
  try main.save()
  print("after the conflict:", object[population])
}

try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// before the merge: 700000
// after the merge: 717710
// after the conflict: 720000
