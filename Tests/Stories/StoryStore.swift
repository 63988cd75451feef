import Baseline
import Foundation
import GRDB
import ObjectGraph
import SQLiteStore
import SoakSupport

/// One store of each mode. Emptying it for each story is faster than creating it.
final class StoryStores {
  private var stores: [StoreMode: StoryStore] = [:]

  func store(_ mode: StoreMode) throws -> StoryStore {
    let store = try stores[mode] ?? StoryStore(mode)
    stores[mode] = store
    try store.clean()
    return store
  }

  func forget(_ mode: StoreMode) { stores[mode] = nil }
}

final class StoryStore {
  let coordinator: SQLiteCoordinator
  var isDirty = false
  private let folder: TrialFolder
  private let reader: PlainReader
  private let sql: DatabaseQueue
  private let configuration: StoreConfiguration
  private var second: SQLiteCoordinator?

  init(_ mode: StoreMode) throws {
    folder = try TrialFolder()
    let file = folder.url.appending(path: "stories.sqlite")
    var configuration = StoreConfiguration(url: file, mode: mode)
    configuration.synchronous = .off
    configuration.readerCount = 1
    self.configuration = configuration
    coordinator = try SQLiteCoordinator(configuration, model: StoryModel.model)
    reader = try PlainReader(file)
    sql = try DatabaseQueue(path: file.path(percentEncoded: false))
  }

  deinit {
    try? second?.close()
    try? coordinator.close()
    try? sql.close()
  }

  func secondCoordinator() throws -> SQLiteCoordinator {
    if let second { return second }
    let new = try SQLiteCoordinator(configuration, model: StoryModel.model)
    second = new
    return new
  }

  var check: FileCheck { FileCheck(sql: sql) }

  /// Keys continue, so no ID equals one of another story.
  func clean() throws {
    guard isDirty else { return }
    try sql.write { database in
      for table in ["ZGROUP", "ZITEM", "ZTAG", "Z_2TAGS"] {
        try database.execute(sql: "DELETE FROM \(table)")
      }
    }
    isDirty = false
  }

  /// - Parameter name: returns the number of the object with an ID.
  func differences(
    from reference: ReferenceStore, _ name: @escaping (ManagedObjectID) -> Int
  ) throws -> [String] {
    func number(_ kind: Kind?, _ key: Int64?) -> Int? {
      guard let kind, let key else { return nil }
      return name(coordinator.objectID(StoryModel.places(kind).entity, key))
    }
    var found: [Int: ReferenceRow] = [:]
    var pairs: Set<ReferenceStore.Pair> = []
    for kind in Kind.allCases {
      for row in try reader.rows(of: StoryModel.places(kind).entity) {
        found[number(kind, row.key) ?? -1] = self.row(row, kind)
      }
    }
    try sql.read { database in
      for kind in Kind.allCases {
        for link in kind.links {
          let sql = "SELECT Z_PK, \(link.column) FROM \(kind.table)"
          for row in try Row.fetchAll(database, sql: sql) {
            found[number(kind, row[0]) ?? -1]?.values[link] = number(link.destination, row[1])
          }
        }
      }
      for row in try Row.fetchAll(database, sql: "SELECT Z_2TAGGED, Z_3TAGS FROM Z_2TAGS") {
        pairs.insert(.init(number(.item, row[0]) ?? -1, .tags, number(.tag, row[1]) ?? -1))
      }
    }
    return differences(found, pairs, from: reference)
  }

  private func differences(
    _ found: [Int: ReferenceRow], _ pairs: Set<ReferenceStore.Pair>, from reference: ReferenceStore
  ) -> [String] {
    var differences = Set(found.keys).union(reference.rows.keys).sorted().compactMap { n in
      let expected = reference.rows[n].map(\.sinceInsertion)
      return found[n] == expected
        ? nil : "store, #\(n): \(text(found[n])) instead of \(text(expected))"
    }
    if pairs != reference.pairs {
      differences.append("store, pairs: \(pairs) instead of \(reference.pairs)")
    }
    return differences
  }

  private func row(_ row: PlainReader.Row, _ kind: Kind) -> ReferenceRow {
    let places = StoryModel.places(kind)
    var result = ReferenceRow(kind: kind, version: Int(row.version) % ReferenceStore.versions)
    for property in [Property.a, .b] {
      if case .int64(let value) = row.values[places.column(property)] {
        result.values[property] = Int(value)
      }
    }
    return result
  }

  private func text(_ row: ReferenceRow?) -> String {
    guard let row else { return "no row" }
    let values = row.values.map { "\($0) \($1)" }.sorted().joined(separator: ", ")
    return "\(row.kind) {\(values)} version \(row.version)"
  }
}

extension SQLiteCoordinator {
  fileprivate func objectID(_ entity: Entity, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      store: storeNumber, entityIndex: Int32(model.index(of: entity)), primaryKey: key)
  }
}
