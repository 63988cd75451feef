//! Edits in a child context, as a form does: its save changes the parent, not the store.

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
// As in an app, both contexts belong to the main queue. A child of a context on a private queue
// needs a queue of its own.
let queue = SimulatedMainQueue.unwatched()
queue.start()
let main = ManagedObjectContext(name: "main", queue: queue, parent: .coordinator(store))

try main.performAndWait {
  let object = main.insert(city)
  object[name] = "Oslo"
  object[population] = 700_000
  try main.save()

  let form = ManagedObjectContext(name: "form", queue: queue, parent: .context(main))
  let edited = form.object(with: object.objectID)
  edited[population] = 717_710
  print("while editing:", object[population])
  try form.save()
  print("after the form's save:", object[population], "saved:", !main.hasChanges)
  try main.save()
  print("after main's save: saved:", !main.hasChanges)

  // A form that is cancelled is not saved.
  edited[population] = 0
  form.rollback()
  print("after a cancelled edit:", edited[population])
}

queue.stop()
try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// while editing: 700000
// after the form's save: 717710 saved: false
// after main's save: saved: true
// after a cancelled edit: 717710
