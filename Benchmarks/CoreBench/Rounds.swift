import Foundation
import Measurement
import ObjectGraph
import SQLiteStore

struct Cost {
  let size: Int
  let step: Step
  let contender: String
  /// Nanoseconds per object, one value for each round.
  var nanoseconds: [Double] = []

  var median: Double { Statistics.median(nanoseconds) ?? .nan }
}

/// Each round begins with another contender, so that noise of the machine affects all alike.
struct Rounds {
  let size: Int
  let count: Int
  let folder: URL
  let clock: StepClock
  private(set) var costs: [Cost] = []
  /// Bytes of one realised, registered object; nil if the allocator does not report them.
  private(set) var bytesPerObject: Int?

  /// The sum that a step returned first.
  private(set) var expected: [Step: Int] = [:]

  static var contenders: [any Contender.Type] {
    [CContender.self, GRDBStatements.self, GRDBRecords.self, CoreContender.self]
  }

  mutating func run(_ contenders: [any Contender.Type]) throws {
    let rows = (1...size).map(City.row)
    for round in 0..<count {
      for place in contenders.indices {
        try run(contenders[(round + place) % contenders.count], rows)
      }
    }
  }

  private mutating func run(_ type: any Contender.Type, _ rows: [ContiguousArray<Value>]) throws {
    let file = folder.appending(path: "bench.sqlite")
    let (model, _) = try City.model()
    try StoreFile.createTemplate(at: file, model: model, rows: [])
    defer { try? StoreFile.remove(at: file) }
    let contender = try type.init(file: file, clock: clock)
    try note(.insert, type.name, try contender.insert(rows))
    try note(.fetchFaults, type.name, try contender.fetchFaults())
    try note(.fetchAndRead, type.name, try contender.fetchAndRead())
    try note(.readAlone, type.name, try contender.readAlone())
    try note(.fireFaults, type.name, try contender.fireFaults())
    if let core = contender as? CoreContender { try note(.pushUp, type.name, try core.pushUp()) }
    try note(.update, type.name, try contender.update())
    if let core = contender as? CoreContender {
      try note(.merge, type.name, try core.merge())
      bytesPerObject = try core.bytesOfRealisedObjects()
      try core.checkNothingIsHeld()
    }
    try note(.delete, type.name, try contender.delete())
    try contender.close()
  }

  /// Checks that the step's sum equals other contenders'.
  private mutating func note(_ step: Step, _ contender: String, _ sum: Int) throws {
    let expected = Step.common.contains(step) ? expected[step] ?? sum : size
    try BenchError.check(sum, is: expected, in: step.rawValue, of: contender)
    self.expected[step] = sum
    let nanoseconds = clock.take() / .nanoseconds(1) / Double(size)
    if let index = costs.firstIndex(where: { $0.step == step && $0.contender == contender }) {
      costs[index].nanoseconds.append(nanoseconds)
    } else {
      costs.append(Cost(size: size, step: step, contender: contender, nanoseconds: [nanoseconds]))
    }
  }
}
