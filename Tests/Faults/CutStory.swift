import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import Support

/// Random saves and batch requests, drawn from a seed. Each step commits one transaction or none.
struct CutStory: Sendable {
  /// Numbers name items modulo their count.
  enum Step: Sendable {
    case open, close
    case insert(Int, long: Bool)
    case rename(Int), move(Int), delete(Int), saveChild(Int)
    case raiseRanks(Int), deleteRows(Int), insertRow
    case forgetHistory
  }

  let seed: UInt64
  let beginning: Beginning
  let mode: StoreMode
  let synchronous: Synchronous
  private(set) var steps: [Step] = [.open]

  init(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    self.seed = seed
    beginning = Beginning.allCases[generator.next(below: Beginning.allCases.count)]
    mode = StoreMode.allCases[generator.next(below: 2)]
    // Under OFF, damage shows that the disk does cut.
    synchronous = [.full, .normal, .full, .normal, .off][generator.next(below: 5)]
    for _ in 0..<(5 + generator.next(below: 20)) {
      steps += Self.step(using: &generator)
    }
    steps.append(.close)
  }

  private static func step(using generator: inout SplitMix64) -> [Step] {
    let number = generator.next(below: 1000)
    switch generator.next(below: 20) {
    case 0..<5: return [.insert(1 + number % 5, long: generator.nextBool())]
    case 5..<8: return [.rename(number)]
    case 8..<10: return [.move(number)]
    case 10, 11: return [.delete(number)]
    case 12, 13: return [.saveChild(number)]
    case 14, 15: return [.raiseRanks(number)]
    case 16: return [.deleteRows(number)]
    case 17: return [.insertRow]
    case 18: return [.forgetHistory]
    default: return [.close, .open]
    }
  }

  var description: String {
    "begins with \(beginning), \(mode), synchronous \(synchronous.rawValue)"
  }
}

/// A store in which a cut story happens.
final class CutWorld {
  let configuration: StoreConfiguration
  private var coordinator: SQLiteCoordinator?
  private var context: ManagedObjectContext?
  private var inserted = 0

  init(_ url: URL, _ story: CutStory) {
    var configuration = StoreConfiguration.faults(url, story.mode)
    configuration.synchronous = story.synchronous
    configuration.checkpointThreshold = 12
    self.configuration = configuration
  }

  var checkpoints: Int { coordinator?.checkpointCount ?? 0 }

  func perform(_ step: CutStory.Step) throws {
    switch step {
    case .open:
      let coordinator = try SQLiteCoordinator(configuration, model: FaultModel.model)
      self.coordinator = coordinator
      context = coordinator.context("writer")
    case .close:
      context = nil
      try coordinator?.close()
      coordinator = nil
    case .forgetHistory:
      guard let coordinator else { return }
      try coordinator.deleteHistory(before: coordinator.currentHistoryToken())
    case .saveChild(let number):
      guard let context else { return }
      try saveChild(of: context, number)
    default:
      guard let context else { return }
      try context.performAndWait { try perform(step, context) }
    }
  }

  private func saveChild(of context: ManagedObjectContext, _ number: Int) throws {
    let child = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(context))
    try child.performAndWait {
      try item(number, in: child)?[FaultModel.name] = "child \(number)"
      try child.save()
    }
    try context.performAndWait { try context.save() }
  }

  /// Releases everything that would outlive the store.
  func end() {
    context = nil
    coordinator = nil
  }

  private func perform(_ step: CutStory.Step, _ context: ManagedObjectContext) throws {
    switch step {
    case .raiseRanks(let number):
      let rank = Value.int64(Int64(number))
      _ = try context.execute(.update(FaultModel.item, set: ["rank": rank]))
      // The saves of objects fetched before would conflict.
      context.reset()
    case .deleteRows(let number):
      let key = Int64(number % (inserted + 1))
      _ = try context.execute(.delete(FetchRequest(FaultModel.item, where: FaultModel.key == key)))
      context.reset()
    case .insertRow:
      let key = Value.int64(nextKey())
      _ = try context.execute(
        .insert(FaultModel.item, objects: [["key": key, "name": .string("row")]]))
    default: try edit(step, context)
    }
  }

  private func edit(_ step: CutStory.Step, _ context: ManagedObjectContext) throws {
    switch step {
    case .insert(let count, let isLong):
      let group = context.insert(FaultModel.group)
      group[FaultModel.title] = "group of \(count)"
      for _ in 0..<count { try insert(into: group, isLong, context) }
    case .rename(let number): try item(number, in: context)?[FaultModel.name] = "name \(number)"
    case .move(let number): try item(number, in: context)?[FaultModel.groupOfItem] = nil
    case .delete(let number): if let item = try item(number, in: context) { context.delete(item) }
    default: break
    }
    try context.save()
  }

  /// Long names need pages of their own.
  private func insert(
    into group: ManagedObject, _ isLong: Bool, _ context: ManagedObjectContext
  ) throws {
    let (item, tag) = (context.insert(FaultModel.item), context.insert(FaultModel.tag))
    item[FaultModel.key] = nextKey()
    item[FaultModel.name] = String(repeating: "long ", count: isLong ? 1000 : 1)
    item[FaultModel.groupOfItem] = group
    tag[FaultModel.tagTitle] = "tag"
    item.add(tag, to: FaultModel.tags)
  }

  private func nextKey() -> Int64 {
    inserted += 1
    return 100 + Int64(inserted)
  }

  /// Realised with the objects that its setters change.
  private func item(_ number: Int, in context: ManagedObjectContext) throws -> ManagedObject? {
    var request = FetchRequest(FaultModel.item, sortedBy: [FaultModel.key.ascending])
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = [
      FaultModel.groupOfItem.path, FaultModel.tags.path,
    ]
    let items = try context.fetch(request)
    guard !items.isEmpty else { return nil }
    let item = items[number % items.count]
    try item[FaultModel.groupOfItem].map { _ = try context.existingObject(with: $0.objectID) }
    return item
  }
}
