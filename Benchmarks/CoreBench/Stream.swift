import Foundation
import ObjectGraph
import Queues
import SQLiteStore

/// A million inserts in saves of a thousand, with a reset after each: whether the cost of an object
/// grows with those before it, and how much memory the process ever needs.
struct Stream {
  let total: Int
  let folder: URL
  private static let perSave = 1000
  private static let window = 5000

  func run() throws -> String {
    let file = folder.appending(path: "stream.sqlite")
    defer { try? StoreFile.remove(at: file) }
    let (model, entity) = try City.model()
    let coordinator = try SQLiteCoordinator(
      StoreConfiguration(url: file, mode: .pool), model: model)
    let context = ManagedObjectContext(
      name: "stream", queue: PrivateQueue(label: "stream"), parent: .coordinator(coordinator),
      isChecked: false)
    var windows: [Double] = []
    let clock = ContinuousClock()
    for start in stride(from: 0, to: total, by: Self.window) {
      let began = clock.now
      for batch in stride(from: start, to: start + Self.window, by: Self.perSave) {
        try insert(batch + 1...batch + Self.perSave, of: entity, into: context)
      }
      windows.append((clock.now - began) / .nanoseconds(1) / Double(Self.window))
    }
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

  /// Medians of ten windows each, so that one checkpoint does not decide it. The first is left out:
  /// it opens the file.
  private func summary(_ windows: [Double]) throws -> String {
    func middle(_ some: some Sequence<Double>) -> Double {
      let sorted = some.sorted()
      return sorted[sorted.count / 2]
    }
    let (first, last) = (middle(windows.dropFirst().prefix(10)), middle(windows.suffix(10)))
    return "\(total) inserts in saves of \(Self.perSave) with a reset after each: "
      + "\(Int(first)) ns an object at the start, \(Int(last)) at the end "
      + "(× \(Double(Int(last / first * 100)) / 100)); peak \(Int(try peakResidentMiB())) MiB"
  }
}
