import Foundation
import ObjectGraph
import Queues
import TestSupport
import Testing

// Semantics 11
@Suite("The checked mode covers the public API") struct CheckedEntryPointTests {
  /// Public members that may be used off the queue, or are not checked yet.
  private static let exempt: [String: String] = [
    "name": "immutable", "queue": "immutable", "parent": "immutable", "coordinator": "immutable",
    "model": "immutable", "entity": "immutable", "init": "makes the context",
    "perform": "enters the queue", "performAndWait": "enters the queue",
    "objectID": "identifies the object on any queue", "context": "leads to the queue",
    "mergeChanges": "checked by the merge of one context", "insert": "checked by insert(_:values:)",
    "isFault": "a flag", "isInserted": "a flag", "isUpdated": "a flag", "isDeleted": "a flag",
    "fetchDictionaries": "checked by its rows", "==": "compares references",
    "hash": "hashes the reference",
  ]

  /// Words of a body that checks the queue, itself or through another member.
  private static let checks = [
    "assertOnQueue", "assertMaySetUp", "prepareToRead", "liveContext", "contextToRead",
  ]

  private struct Member {
    let file: String
    let name: String
    let body: String
  }

  /// From the sources.
  private func members() throws -> [Member] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folders = ["Contexts", "Objects"].map {
      root.appending(path: "Sources/ObjectGraph/\($0)")
    }
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return try files.filter {
      ["ManagedObject", "Notifications"].contains(where: $0.lastPathComponent.hasPrefix)
    }.flatMap { file in
      try members(of: String(contentsOf: file, encoding: .utf8), file.lastPathComponent)
    }
  }

  private func members(of source: String, _ file: String) throws -> [Member] {
    let declaration = /public (?:internal\(set\) )?(?:static )?(?:func|var|let) (\w+|==)/
    let other = /public (init|subscript)/
    var members: [Member] = []
    var isOfType = false
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.firstMatch(of: /^(public )?(final class|extension|struct|enum)/) != nil {
        isOfType = line.contains("ManagedObject")
      }
      guard isOfType, line.hasPrefix("  "), !line.hasPrefix("   "), line.contains("public ") else {
        continue
      }
      let name = line.firstMatch(of: declaration)?.1 ?? line.firstMatch(of: other)?.1
      guard let name, !line.contains("struct ObjectNotFound") else { continue }
      let body = lines[index...].prefix { $0 != "  }" }.joined(separator: "\n")
      members.append(Member(file: file, name: String(name), body: body))
    }
    return members
  }

  @Test func `each public member of contexts and objects checks the queue or is exempt`() throws {
    let members = try members()
    #expect(members.count > 60)
    let unchecked = members.filter { member in
      Self.exempt[member.name] == nil && !Self.checks.contains { member.body.contains($0) }
    }
    #expect(unchecked.map { "\($0.file): \($0.name)" } == [])
    let unused = Set(Self.exempt.keys).subtracting(members.map(\.name))
    #expect(unused.isEmpty)
  }

  enum EntryPoint: String, CaseIterable, Codable {
    case insertedObjects, updatedObjects, deletedObjects, hasChanges
    case setPrimitiveValue, changedObjectIDs, hasFault, hasPersistentChangedValues, fireFault
    case mergePolicy, undoManager, propagatesDeletesAtEndOfEvent, shouldDeleteInaccessibleFaults
    case stalenessInterval, retainsRegisteredObjects, transactionAuthor
    case automaticallyMergesChangesFromParent
    case observeObjectsDidChange, observeWillSave, observeDidSave, observeDidMerge, stopObserving

    func call(_ context: ManagedObjectContext, _ object: ManagedObject) {
      switch self {
      case .insertedObjects: _ = context.insertedObjects
      case .updatedObjects: _ = context.updatedObjects
      case .deletedObjects: _ = context.deletedObjects
      case .hasChanges: _ = context.hasChanges
      case .setPrimitiveValue: object.setPrimitiveValue(.null, at: 0)
      case .changedObjectIDs: _ = object.changedObjectIDs(Company.friends)
      case .hasFault: _ = object.hasFault(for: Company.friends)
      case .hasPersistentChangedValues: _ = object.hasPersistentChangedValues
      case .fireFault: object.fireFault()
      case .mergePolicy: context.mergePolicy = .overwrite
      case .undoManager: context.undoManager = nil
      case .propagatesDeletesAtEndOfEvent: context.propagatesDeletesAtEndOfEvent = false
      case .shouldDeleteInaccessibleFaults: context.shouldDeleteInaccessibleFaults = false
      case .stalenessInterval: context.stalenessInterval = .zero
      case .retainsRegisteredObjects: context.retainsRegisteredObjects = true
      case .transactionAuthor: context.transactionAuthor = "Ada"
      case .automaticallyMergesChangesFromParent:
        context.automaticallyMergesChangesFromParent = true
      case .observeObjectsDidChange: context.observeObjectsDidChange { _ in }
      case .observeWillSave: context.observeWillSave {}
      case .observeDidSave: context.observeDidSave { _ in }
      case .observeDidMerge: context.observeDidMerge { _ in }
      case .stopObserving:
        context.stopObserving(context.performAndWait { context.observeWillSave {} })
      }
    }
  }

  @Test(arguments: EntryPoint.allCases)
  func `a call off the queue stops the program`(entryPoint: EntryPoint) async {
    await #expect(processExitsWith: .failure) { [entryPoint] in
      let context = try TestStore(model: Company.model).context("one")
      let object = context.performAndWait { context.hire("Ada") }
      entryPoint.call(context, object)
    }
  }
}
