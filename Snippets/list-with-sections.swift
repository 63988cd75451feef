//! Shows objects in a list with sections, and prints what changes in it.

import Foundation
import ObjectGraph
import Queues
import SQLiteStore

let city = try Entity(
  name: "City",
  attributes: [AttributeDescription("country", .string), AttributeDescription("name", .string)])
let country = try AttributeKey<String>("country", of: city)
let name = try AttributeKey<String>("name", of: city)

let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let store = try SQLiteCoordinator(
  StoreConfiguration(url: folder.appending(path: "cities.sqlite"), mode: .pool),
  model: Model([city]))
let main = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(store))

try main.performAndWait {
  for (land, title) in [("Peru", "Lima"), ("Norway", "Oslo"), ("Norway", "Bergen")] {
    let object = main.insert(city)
    object[country] = land
    object[name] = title
  }
  try main.save()

  // Sections need a list that is sorted by their key first.
  let list = FetchedResultsController(
    FetchRequest(city, sortedBy: [country.ascending, name.ascending]), in: main,
    sections: .attribute(country))
  try list.performFetch()
  for section in list.sections {
    print(section.name, section.range.map { list[$0][name] })
  }

  list.onChange = { changes in
    print("deleted at \(changes.deletions), inserted at \(changes.insertions)")
  }
  main.delete(list[ListPath(section: 1, item: 0)])
  let object = main.insert(city)
  object[country] = "Norway"
  object[name] = "Moss"
  // A save tells the list, and so does the end of an asynchronous `perform`.
  try main.save()
}

try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// Norway ["Bergen", "Oslo"]
// Peru ["Lima"]
// deleted at [2], inserted at [1]
