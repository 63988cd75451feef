import Baseline
import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Topologies

/// A topology over a store whose model has every delete rule. Its list shows departments. Changes
/// name departments by title, and employees by code.
struct CompanyBench: Sendable {
  let main = SimulatedMainQueue(heartbeat: nil)
  let topology: any Topology
  private let folder: URL
  private let file: URL

  static let employees = 1

  init(
    _ descriptor: TopologyDescriptor, lookup: Lookup = .perBatch,
    deletion: FetchPredicate = .false, fill: (ManagedObjectContext) throws -> Void
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench-company-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("store.sqlite")
    try Self.fill(file, by: fill)
    main.start()
    topology = try descriptor.make(
      TopologyEnvironment(
        store: file, storeMode: descriptor.storeModes[0], model: Company.model,
        entity: Company.department, keyIndex: Company.title.index,
        rowEntities: [
          RowEntity(Company.department, keyIndex: Company.title.index, deletion: deletion),
          RowEntity(
            Company.employee, keyIndex: Company.code.index,
            references: [RowReference(column: Company.dept.index, destination: 0)]),
        ],
        mainQueue: main,
        lists: [
          ListDescription(ListQuery(Company.department, sortedBy: [Company.title.ascending]))
        ], lookup: lookup,
        realised: .visible, mergePolicy: lookup == .constraint ? .objectTrump : .error))
  }

  private static func fill(
    _ file: URL, by fill: (ManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = try SQLiteCoordinator(
      StoreConfiguration(url: file, mode: .pool), model: Company.model)
    let context = ManagedObjectContext(
      name: "filler", queue: PrivateQueue(label: "filler"), parent: .coordinator(coordinator))
    try context.performAndWait {
      try fill(context)
      try context.save()
    }
    try coordinator.close()
  }

  static func result(
    _ descriptor: TopologyDescriptor, lookup: Lookup = .perBatch,
    deletion: FetchPredicate = .false, fill: (ManagedObjectContext) throws -> Void,
    _ body: (CompanyBench) async throws -> Void
  ) async throws -> [String] {
    let bench = try CompanyBench(descriptor, lookup: lookup, deletion: deletion, fill: fill)
    try await bench.topology.load()
    try await body(bench)
    try await bench.topology.settle()
    try await bench.topology.close()
    bench.main.stop()
    let company = try bench.describedCompany()
    try FileManager.default.removeItem(at: bench.folder)
    return company
  }

  func shown() -> [String] {
    let topology = topology
    return main.sync {
      (0..<topology.list.count).map { "\(topology.list.row(at: $0)[Company.title.index])" }
    }
  }

  /// Row versions by name.
  func versions() throws -> [String: Int64] {
    let rows = try PlainReader(file).rows(of: Company.employee).map {
      ("\($0.values[Company.name.index])", $0.version)
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Reads the company in a fresh context.
  private func describedCompany() throws -> [String] {
    var configuration = StoreConfiguration(url: file, mode: .pool)
    configuration.keepsHistory = true
    let coordinator = try SQLiteCoordinator(configuration, model: Company.model)
    let context = ManagedObjectContext(
      name: "reader", queue: PrivateQueue(label: "reader"), parent: .coordinator(coordinator))
    let lines = try context.performAndWait { try context.describedObjects() }
    try coordinator.close()
    return lines
  }
}

extension ManagedObjectContext {
  /// One line for each object, with its relationships.
  fileprivate func describedObjects() throws -> [String] {
    let people = try fetch(FetchRequest(Company.person)).map(\.line)
    let badges = try fetch(FetchRequest(Company.badge)).map {
      "badge \($0[Company.number]) of \($0[Company.owner]?[Company.name] ?? "-")"
    }
    let contracts = try fetch(FetchRequest(Company.contract)).map {
      "contract \($0.title) of \($0[Company.party]?[Company.name] ?? "-")"
    }
    let things = try [Company.department, Company.project, Company.room].flatMap { entity in
      try fetch(FetchRequest(entity)).map { "\(entity.name) \($0.title)" }
    }
    return (people + badges + contracts + things).sorted()
  }
}

extension ManagedObject {
  fileprivate var line: String {
    let department = self[Company.dept]?[Company.title] ?? "-"
    let boss = self[Company.boss]?[Company.name] ?? "-"
    let badge = self[Company.badgeOf]?[Company.number] ?? 0
    let friends = self[Company.friends].map { $0[Company.name] }.sorted()
    let projects = self[Company.projects].map(\.title).sorted()
    return "\(entity.name) \(self[Company.name]), \(self[Company.salary]) in \(department)"
      + " under \(boss), badge \(badge), friends \(friends), projects \(projects)"
  }

  /// The title of a department, project, contract or room.
  fileprivate var title: String {
    if case .string(let title) = self[entity.index(of: "title") ?? 0] { title } else { "" }
  }
}
