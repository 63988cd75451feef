import Foundation
import Measurement
import ObjectGraph
import Queues
import SQLiteStore

// The same 500 changes beside ever more rows that do not change:
//
//   main     holds every row realised, in a sorted list
//   worker   fetches 500 rows by key, edits and saves them; main merges the save
//
// The slope is that of the cost over the rows, both on logarithmic axes. 0: unchanged rows cost
// nothing. 1: the cost grows as they do.

struct Scaling {
  enum Primitive: String, CaseIterable {
    case fetch = "fetch by key"
    case edit
    case save
    case merge = "merge, list follows"
    case history = "read history"
    case lookup = "find registered"
    case fire = "fire faults"
    case hasChanges = "has changes"
    case undo
    case pushUp = "push-up"
    case rollback
  }

  static let changes = 500

  let sizes: [Int]
  let rounds: Int
  let folder: URL

  func run() throws -> String {
    let costs = try sizes.map { size in
      let file = folder.appending(path: "scaling.sqlite")
      defer { try? StoreFile.remove(at: file) }
      let measured = try ScalingRounds(rows: size, file: file)
      for round in 0..<rounds { try measured.run(round) }
      try measured.close()
      return measured.costs.mapValues { Statistics.median($0) ?? .nan }
    }
    let title = "\(Self.changes) changes, median of \(rounds) rounds, ns a change by rows"
    let header = columns([""] + sizes.map(String.init) + ["slope"], first: 20)
    return
      ([title, header]
      + Primitive.allCases.map { primitive in
        let values = costs.map { $0[primitive] ?? .nan }
        let slope = String(format: "%.2f", Self.slope(sizes, values))
        return columns([primitive.rawValue] + values.map { String(Int($0)) } + [slope], first: 20)
      }).joined(separator: "\n")
  }

  /// Least squares.
  static func slope(_ sizes: [Int], _ values: [Double]) -> Double {
    let points = zip(sizes, values).map { (x: log(Double($0)), y: log(max($1, 1))) }
    let x = points.reduce(0) { $0 + $1.x } / Double(points.count)
    let y = points.reduce(0) { $0 + $1.y } / Double(points.count)
    let spread = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / spread
  }
}

private final class ScalingRounds {
  private(set) var costs: [Scaling.Primitive: [Double]] = [:]

  private let rows: Int
  private let entity: Entity
  private let coordinator: SQLiteCoordinator
  private let main: ManagedObjectContext
  private let list: FetchedResultsController
  private let number: AttributeKey<Int64>
  private let population: AttributeKey<Int64>

  init(rows: Int, file: URL) throws {
    self.rows = rows
    let model: Model
    (model, entity) = try City.model()
    number = try AttributeKey("geoname_id", of: entity)
    population = try AttributeKey("population", of: entity)
    try StoreFile.createTemplate(at: file, model: model, rows: [(entity, (1...rows).map(City.row))])
    var configuration = StoreConfiguration(url: file, mode: .pool)
    configuration.keepsHistory = true
    coordinator = try SQLiteCoordinator(configuration, model: model)
    let main = ManagedObjectContext(unchecked: "main", .coordinator(coordinator))
    var request = FetchRequest(entity)
    request.sortTerms = [population.ascending]
    request.returnsObjectsAsFaults = false
    list = try main.performAndWait {
      let list = FetchedResultsController(request, in: main)
      try list.performFetch()
      return list
    }
    self.main = main
  }

  func close() throws { try coordinator.close() }

  /// The changed rows, spread evenly over all.
  private func numbers(_ round: Int) -> [Int64] {
    let step = rows / Scaling.changes
    return (0..<Scaling.changes).map { Int64($0 * step + round % step + 1) }
  }

  func run(_ round: Int) throws {
    let saved = try editAndSave(round)
    try main.performAndWait {
      try measure(.merge) {
        try main.mergeChanges(fromContextDidSave: saved)
        main.processPendingChanges()
      }
      let ids = saved.updated
      let objects = measure(.lookup) { ids.compactMap { main.registeredObject(for: $0) } }
      try check(objects.count)
      for object in objects { try main.refresh(object, mergeChanges: false) }
      let sum = measure(.fire) { objects.reduce(0) { $0 + $1[population] } }
      let isChanged = measure(.hasChanges) {
        (0..<Scaling.changes).contains { _ in main.hasChanges }
      }
      guard sum > 0, !isChanged else { return try check(0) }
      measureUndo(objects)
      try pushUp(ids)
      measure(.rollback) { main.rollback() }
    }
  }

  private func editAndSave(_ round: Int) throws -> DidSave {
    let worker = ManagedObjectContext(unchecked: "worker", .coordinator(coordinator))
    let token = try coordinator.currentHistoryToken()
    let request = FetchRequest(entity, where: number.isIn(numbers(round)))
    let saved = Lock<DidSave?>(nil)
    try worker.performAndWait {
      let observation = worker.observeDidSave { save in saved.withLock { $0 = save } }
      let objects = try measure(.fetch) { try worker.fetch(request) }
      measure(.edit) { change(objects, in: worker, by: Int64(round) + 1) }
      try measure(.save) { try worker.save() }
      worker.stopObserving(observation)
    }
    let history = try measure(.history) { try coordinator.history(after: token) }
    guard let saved = saved.withLock({ $0 }), history.count == 1 else {
      throw BenchError.differs("scaling", "core", found: 0, expected: Scaling.changes)
    }
    try check(saved.updated.count)
    return saved
  }

  private func measureUndo(_ objects: [ManagedObject]) {
    main.undoManager = ContextUndoManager()
    change(objects, in: main, by: 7)
    measure(.undo) {
      main.undo()
      main.processPendingChanges()
    }
    main.undoManager = nil
    main.rollback()
  }

  private func pushUp(_ ids: [ManagedObjectID]) throws {
    let child = ManagedObjectContext(unchecked: "child", .context(main))
    try child.performAndWait {
      change(try ids.map { try child.existingObject(with: $0) }, in: child, by: 9)
      try measure(.pushUp) { try child.save() }
    }
    try check(main.updatedObjects.count)
  }

  private func change(_ objects: [ManagedObject], in context: ManagedObjectContext, by: Int64) {
    for object in objects { object[population] += by }
    context.processPendingChanges()
  }

  @discardableResult
  private func measure<R>(_ primitive: Scaling.Primitive, _ work: () throws -> R) rethrows -> R {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try work()
    let nanoseconds = (clock.now - start) / .nanoseconds(1) / Double(Scaling.changes)
    costs[primitive, default: []].append(nanoseconds)
    return result
  }

  private func check(_ found: Int) throws {
    try BenchError.check(found, is: Scaling.changes, in: "scaling", of: "core")
  }
}
