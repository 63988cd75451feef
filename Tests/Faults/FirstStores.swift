import Foundation
import ObjectGraph
import SQLiteStore

/// The store that a story begins with.
enum Beginning: CaseIterable, Sendable {
  case nothing
  /// Of the older model.
  case old
  case new
  /// Its last commit lies in the WAL, as after a killed process.
  case unclosed
}

/// Stores of two groups of three items each.
struct FirstStores {
  private var files: [Beginning: [String: Data]] = [.nothing: [:]]

  init(in folder: URL) throws {
    let url = folder.appending(path: "first.sqlite")
    let old = try SQLiteCoordinator(.faults(url, .serial), model: FaultModel.oldModel)
    let context = old.context("first")
    try context.performAndWait {
      for number in 1...2 { try Self.insertGroup(number, in: context) }
      try context.save()
    }
    try old.close()
    files[.old] = Self.content(url)
    try SQLiteCoordinator(.faults(url, .serial), model: FaultModel.model).close()
    files[.new] = Self.content(url)
    let unclosed = try SQLiteCoordinator(.faults(url, .serial), model: FaultModel.model)
    _ = try unclosed.execute(.update(FaultModel.item, set: ["rank": .int64(6)]))
    files[.unclosed] = Self.content(url)
    try unclosed.close()
    try StoreFile.remove(at: url)
  }

  private static func content(_ url: URL) -> [String: Data] {
    let files = ["", "-wal"].map { ($0, FileManager.default.contents(atPath: url.path + $0)) }
    return Dictionary(uniqueKeysWithValues: files).compactMapValues { $0 }
  }

  private static func insertGroup(_ number: Int, in context: ManagedObjectContext) throws {
    let group = context.insert(FaultModel.group)
    group[FaultModel.title] = "group \(number)"
    let inverse = try ToOneKey("group", of: FaultModel.oldItem)
    for key in 1...3 {
      let values: ContiguousArray = [
        Value.int64(Int64(10 * number + key)), .string("item \(key)"), .null,
      ]
      context.insert(FaultModel.oldItem, values: values)[inverse] = group
    }
  }

  func copy(_ beginning: Beginning, to url: URL) throws {
    try StoreFile.remove(at: url)
    for (suffix, content) in files[beginning] ?? [:] {
      try content.write(to: URL(filePath: url.path + suffix))
    }
  }
}
