// Objects have numbers that the story assigns; a save has the number of its step. A step that no
// longer applies is skipped, so any steps can be left out.

struct Step: Sendable {
  let context: Int
  let action: Action
}

enum Action: Sendable {
  case insert(Int, Kind, a: Int?, b: Int?, permanent: Bool)
  case set(Int, Property, Int?)
  case relate(Int, Property, Int?)
  case add(Int, Relation, Int)
  case remove(Int, Relation, Int)
  case delete(Int)
  case read(Int)
  case readMembers(Int, Relation)
  case take(Int)
  case fetch(Query)
  case count(Query)
  case processPendingChanges
  case save(Int)
  /// Objects may be listed twice, and may have a permanent ID already.
  case obtainPermanentIDs([Int])
  case merge(Int)
  /// A batch deletion of rows of one entity. Contexts learn of it by a merge.
  case deleteRows(Int, [Int])
  case refresh(Int, mergeChanges: Bool)
  case refreshAllObjects
  case undo
  case redo
  case rollback
  /// Also resets the contexts below, because their objects would have no source.
  case reset
  case letGo
}

struct Query: Sendable {
  enum Test: Sendable {
    case equal(Property, Int?)
    case less(Property, Int)
  }

  var kind: Kind
  var test: Test?
  /// By `a`, then by number; nil for no order.
  var ascending: Bool?
  /// 0: none.
  var limit: Int?
  var asFaults = true

  var most: Int { limit == 0 ? .max : limit ?? .max }
}

enum Outcome: Equatable {
  case passedOver
  case done
  case notFound
  case counted(Int)
  case found([Int])
  case conflict(Set<Int>)
  case invalid(Set<Int>)
  case failed(String)
}

enum Event: Equatable {
  case changed(Int, inserted: Set<Int>, updated: Set<Int>, deleted: Set<Int>, refreshed: Set<Int>)
  case invalidatedAll(Int)
  case saved(Int, inserted: Set<Int>, updated: Set<Int>, deleted: Set<Int>)
  case merged(Int, inserted: Set<Int>, refreshed: Set<Int>, deleted: Set<Int>)
}

extension Outcome {
  var objects: Set<Int> { if case .found(let objects) = self { Set(objects) } else { [] } }
}

extension Event {
  var objects: (context: Int, objects: Set<Int>) {
    switch self {
    case .changed(let context, let inserted, let updated, let deleted, let refreshed):
      (context, inserted.union(updated).union(deleted).union(refreshed))
    case .saved(let context, let inserted, let updated, _): (context, inserted.union(updated))
    case .invalidatedAll(let context), .merged(let context, _, _, _):
      (context, [])
    }
  }
}

extension Action {
  var kind: String { Mirror(reflecting: self).children.first?.label ?? description }

  var madeObjects: Set<Int> {
    switch self {
    case .insert(let n, _, _, _, _), .take(let n): [n]
    default: []
    }
  }
}

extension Step: CustomStringConvertible {
  var description: String { "context \(context): \(action)" }
}

extension Action: CustomStringConvertible {
  var description: String {
    switch self {
    case .insert(let n, let kind, let a, let b, let permanent):
      "insert \(kind) #\(n), a = \(text(a)), b = \(text(b))\(permanent ? ", permanent ID" : "")"
    case .set(let n, let property, let value): "#\(n).\(property) = \(text(value))"
    case .relate(let n, let link, let m): "#\(n).\(link) = \(m.map { "#\($0)" } ?? "nil")"
    case .add(let n, let relation, let m): "#\(n).\(relation) + #\(m)"
    case .remove(let n, let relation, let m): "#\(n).\(relation) − #\(m)"
    case .delete(let n): "delete #\(n)"
    case .read(let n): "read #\(n)"
    case .readMembers(let n, let relation): "read #\(n).\(relation)"
    case .take(let n): "existing object #\(n)"
    case .fetch(let query): "fetch \(query)"
    case .count(let query): "count \(query)"
    case .processPendingChanges: "process pending changes"
    case .save(let note): "save (did-save \(note))"
    case .obtainPermanentIDs(let numbers):
      "obtain permanent IDs for \(numbers.map { "#\($0)" }.joined(separator: ", "))"
    case .merge(let note): "merge did-save \(note)"
    case .deleteRows(let note, let numbers):
      "delete rows of \(numbers.map { "#\($0)" }.joined(separator: ", ")) (did-save \(note))"
    case .refresh(let n, let mergeChanges): "refresh #\(n)\(mergeChanges ? ", keeping edits" : "")"
    case .refreshAllObjects: "refresh all objects"
    case .undo: "undo"
    case .redo: "redo"
    case .rollback: "roll back"
    case .reset: "reset"
    case .letGo: "let go of all objects"
    }
  }
}

extension Query: CustomStringConvertible {
  var description: String {
    var words = ["\(kind)s"]
    switch test {
    case .equal(let property, let value): words.append("where \(property) == \(text(value))")
    case .less(let property, let value): words.append("where \(property) < \(value)")
    case nil: break
    }
    if let ascending { words.append("by a \(ascending ? "ascending" : "descending")") }
    if let limit { words.append("at most \(limit)") }
    if !asFaults { words.append("realised") }
    return words.joined(separator: " ")
  }
}

private func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "nil" }
