//! Fetches objects with a predicate of keys, and with one in the format of `NSPredicate`.

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
let context = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(store))

try context.performAndWait {
  for (title, people) in [("Oslo", 717_710), ("Lima", 10_092_000), ("Lyon", 522_250)]
    as [(String, Int64)]
  {
    let object = context.insert(city)
    object[name] = title
    object[population] = people
  }
  // A fetch finds unsaved objects, too.
  let large = FetchRequest(
    city, where: population >= 600_000, sortedBy: [population.descending])
  print("large:", try context.fetch(large).map { $0[name] })

  try context.save()
  var withL = FetchRequest(city, sortedBy: [name.ascending], limit: 1)
  withL.predicate = try FetchPredicate(
    format: "name BEGINSWITH[c] %@ AND population < %d", city, in: context.model, "l", 1_000_000)
  print("small, with L:", try context.fetch(withL).map { $0[name] })
  print("with L:", try context.count(FetchRequest(city, where: name.beginsWith("L"))))
}

try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// large: ["Lima", "Oslo"]
// small, with L: ["Lyon"]
// with L: 2
