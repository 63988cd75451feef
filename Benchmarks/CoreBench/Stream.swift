import Foundation
import Measurement
import ObjectGraph
import Queues
import SQLiteStore

/// Inserts many objects, with a reset after each save. Shows whether the cost of an object grows,
/// and how much memory the process needs.
struct Stream {
  static let window = 5000

  let total: Int
  var perSave = 1000
  var window = Self.window
  let folder: URL

  func run() throws -> String {
    let file = folder.appending(path: "stream.sqlite")
    defer { try? StoreFile.remove(at: file) }
    let (model, entity) = try City.model()
    let coordinator = try SQLiteCoordinator(file, model)
    let context = ManagedObjectContext(unchecked: "stream", .coordinator(coordinator))
    var windows: [Double] = []
    let clock = ContinuousClock()
    for start in stride(from: 0, to: total, by: window) {
      let began = clock.now
      for batch in stride(from: start, to: start + window, by: perSave) {
        try insert(batch + 1...batch + perSave, of: entity, into: context)
      }
      windows.append((clock.now - began) / .nanoseconds(1) / Double(window))
    }
    let count = try context.performAndWait { try context.count(FetchRequest(entity)) }
    try BenchError.check(count, is: total, in: "stream", of: "core")
    try coordinator.close()
    return try summary(windows)
  }

  private func insert(
    _ numbers: ClosedRange<Int>, of entity: Entity, into context: ManagedObjectContext
  ) throws {
    try context.performAndWait {
      for number in numbers { _ = context.insert(entity, values: City.row(number)) }
      try context.save()
      context.reset()
    }
  }

  /// Medians of ten windows each, so that one checkpoint does not matter. Leaves out the first
  /// window, which opens the file.
  private func summary(_ windows: [Double]) throws -> String {
    let first = Statistics.median(Array(windows.dropFirst().prefix(10))) ?? .nan
    let last = Statistics.median(Array(windows.suffix(10))) ?? .nan
    return "\(total) inserts in saves of \(perSave) with a reset after each: "
      + "\(Int(first)) ns an object at the start, \(Int(last)) at the end "
      + "(× \(Double(Int(last / first * 100)) / 100)); peak \(Int(try peakResidentMiB())) MiB"
  }
}
