public import Foundation

/// A position in a store's history, after one transaction. It is valid in later runs too.
public struct HistoryToken: Hashable, Codable, Sendable {
  /// The store's identifier.
  public let store: String
  /// From 1; 0 is before the first transaction.
  package let number: Int64

  package init(store: String, number: Int64) {
    self.store = store
    self.number = number
  }
}

/// The change of one object in one transaction.
public struct HistoryChange: Sendable, Equatable {
  public enum Kind: Int, CaseIterable, Sendable {
    case insert, update, delete
  }

  public let objectID: ManagedObjectID
  public let kind: Kind
  /// The names of the attributes and to-one relationships that an update wrote.
  public let updatedProperties: [String]

  package init(objectID: ManagedObjectID, kind: Kind, updatedProperties: [String] = []) {
    self.objectID = objectID
    self.kind = kind
    self.updatedProperties = updatedProperties
  }
}

/// One save or batch request in the history of a store.
///
/// Example: `Snippets/history.swift`.
public struct HistoryTransaction: Sendable, Equatable {
  public let token: HistoryToken
  public let date: Date
  public let author: String?
  public let contextName: String?
  /// In the order of writing.
  public let changes: [HistoryChange]

  package init(
    token: HistoryToken, date: Date, author: String?, contextName: String?,
    changes: [HistoryChange]
  ) {
    self.token = token
    self.date = date
    self.author = author
    self.contextName = contextName
    self.changes = changes
  }
}

public enum HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Transactions after the token were removed (Core Data's 134301).
  case expiredToken(HistoryToken)
  /// The token is of another store.
  case foreignToken(HistoryToken)
  /// The store was opened without `keepsHistory`.
  case notKept

  /// Core Data's code for an expired token; nil for the others.
  public var code: Int? {
    if case .expiredToken = self { 134_301 } else { nil }
  }

  public var description: String {
    switch self {
    case .expiredToken(let token):
      "history after transaction \(token.number) was removed; fetch all objects again and continue"
        + " from the current token"
    case .foreignToken(let token):
      "the token belongs to store \(token.store); use a token of this store, or none"
    case .notKept:
      "this store keeps no history; open it with keepsHistory"
    }
  }
}

/// The IDs of the objects that a save or a batch inserted, updated and deleted.
///
/// Example: `Snippets/batch-insert.swift`.
public struct ChangedObjectIDs: Sendable, Equatable {
  public var inserted: [ManagedObjectID]
  public var updated: [ManagedObjectID]
  public var deleted: [ManagedObjectID]

  public init(
    inserted: [ManagedObjectID] = [], updated: [ManagedObjectID] = [],
    deleted: [ManagedObjectID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  /// The net effect of transactions in history order. An object created and deleted is in no list,
  /// and one deleted and created again is updated.
  public init(_ transactions: [HistoryTransaction]) {
    self.init()
    var order: [ManagedObjectID] = []
    var kinds: [ManagedObjectID: HistoryChange.Kind] = [:]
    for change in transactions.lazy.flatMap(\.changes) {
      let before = kinds[change.objectID]
      if before == nil { order.append(change.objectID) }
      switch (before, change.kind) {
      case (.insert, .delete): kinds[change.objectID] = nil
      case (.insert, _): break
      case (.delete, .insert): kinds[change.objectID] = .update
      case (_, let kind): kinds[change.objectID] = kind
      }
    }
    for id in order {
      switch kinds.removeValue(forKey: id) {
      case .insert: inserted.append(id)
      case .update: updated.append(id)
      case .delete: deleted.append(id)
      case nil: break
      }
    }
  }
}
