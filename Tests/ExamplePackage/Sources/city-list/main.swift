import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import Topologies

// city-list TOPOLOGY BEFORE.csv AFTER.csv: fills a list from one file, updates it from the other,
// and prints a part of it.

let arguments = CommandLine.arguments
let topologies = Topologies.builtIn.filter { $0.kind != .peer }
guard arguments.count == 4, let descriptor = topologies.first(where: { $0.name == arguments[1] })
else {
  print("usage: city-list TOPOLOGY BEFORE.csv AFTER.csv")
  print("topologies: \(topologies.map(\.name).joined(separator: ", "))")
  exit(64)
}

let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("city-list-\(UUID().uuidString)", isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let main = SimulatedMainQueue.unwatched()
main.start()
let topology = try descriptor.make(
  TopologyEnvironment(
    store: folder.appendingPathComponent("cities.sqlite"), storeMode: .pool, model: City.model,
    entity: City.entity, keyIndex: 0, mainQueue: main,
    lists: [
      ListDescription(
        ListQuery(City.entity, sortedBy: [City.name.ascending, City.id.ascending]))
    ],
    lookup: .perBatch, realised: .visible))
guard let topology = topology as? any ContextTopology else { preconditionFailure("no contexts") }
try await topology.load()
let cities = CityList(store: ObjectStore(over: topology))

for file in arguments[2...] {
  let records = try CityRecord.read(file)
  let message = await withCheckedContinuation { continuation in
    cities.update(to: records) { continuation.resume(returning: $0) }
  }
  try await topology.settle()
  print(message)
  print("the list has \(main.sync { topology.list.count }) rows")
}
for line in try main.sync({ try cities.largest(3, above: 10_000_000) }) { print(line) }
try await topology.close()
main.stop()
try FileManager.default.removeItem(at: folder)
