//! Reads in the history what another process saved, and merges it.

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

// Two coordinators of one file, as two processes have.
var configuration = StoreConfiguration(url: folder.appending(path: "cities.sqlite"), mode: .pool)
configuration.keepsHistory = true
let store = try SQLiteCoordinator(configuration, model: Model([city]))
let other = try SQLiteCoordinator(configuration, model: Model([city]))

let main = ManagedObjectContext(
  name: "main", queue: PrivateQueue(label: "main"), parent: .coordinator(store))
let widget = ManagedObjectContext(
  name: "widget", queue: PrivateQueue(label: "widget"), parent: .coordinator(other))

try main.performAndWait {
  let object = main.insert(city)
  object[name] = "Oslo"
  object[population] = 700_000
  try main.save()
  let seen = try store.currentHistoryToken()

  try widget.performAndWait {
    widget.transactionAuthor = "widget"
    for object in try widget.fetch(FetchRequest(city)) { object[population] = 717_710 }
    try widget.save()
  }

  let transactions = try store.history(after: seen)
  for transaction in transactions {
    for change in transaction.changes {
      print(transaction.author ?? "unknown", change.kind, change.updatedProperties)
    }
  }
  try main.mergeChanges(fromHistory: transactions)
  print("merged:", object[population])
  if let last = transactions.last { try store.deleteHistory(before: last.token) }
}

try other.close()
try store.close()
try FileManager.default.removeItem(at: folder)

// Prints:
// widget update ["population"]
// merged: 717710
