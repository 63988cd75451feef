import Foundation
import ObjectGraph
import Queues
import SQLiteStore

/// Groups of items with tags. The older version has neither tags nor ranks, and keys may repeat.
enum FaultModel {
  static let group = required {
    try Entity(
      name: "Group", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("items", "Item", inverse: "group")])
  }
  static let item = required {
    try Entity(
      name: "Item",
      attributes: [
        AttributeDescription("key", .int64), AttributeDescription("name", .string),
        AttributeDescription("rank", .int64, defaultValue: .int64(7)),
      ],
      relationships: [
        .toOne("group", "Group", inverse: "items"), .toMany("tags", "Tag", inverse: "items"),
      ],
      uniquenessConstraints: [["key"]])
  }
  static let tag = required {
    try Entity(
      name: "Tag", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("items", "Item", inverse: "tags")])
  }
  static let model = required { try Model([group, item, tag]) }

  static let key = required { try AttributeKey<Int64>("key", of: item) }
  static let name = required { try AttributeKey<String>("name", of: item) }
  static let rank = required { try AttributeKey<Int64>("rank", of: item) }
  static let title = required { try AttributeKey<String>("title", of: group) }
  static let tagTitle = required { try AttributeKey<String>("title", of: tag) }
  static let groupOfItem = required { try ToOneKey("group", of: item) }
  static let items = required { try ToManyKey("items", of: group) }
  static let tags = required { try ToManyKey("tags", of: item) }

  static let oldItem = required {
    try Entity(
      name: "Item",
      attributes: [AttributeDescription("key", .int64), AttributeDescription("name", .string)],
      relationships: [.toOne("group", "Group", inverse: "items")])
  }
  static let oldModel = required { try Model([group, oldItem]) }

  private static func required<R>(_ make: () throws -> R) -> R {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }
}

extension StoreConfiguration {
  static func faults(_ url: URL, _ mode: StoreMode) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: url, mode: mode)
    configuration.keepsHistory = true
    configuration.migratesAutomatically = true
    configuration.synchronous = .full
    configuration.busyTimeout = .milliseconds(3)
    configuration.checkpointThreshold = 20
    return configuration
  }
}

extension SQLiteCoordinator {
  func context(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(
      name: name, queue: PrivateQueue(label: name), parent: .coordinator(self))
  }
}
