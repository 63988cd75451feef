/// What one event changed, in the order of the objects' first changes.
struct UndoGroup {
  /// Before and after the event.
  struct Change<T> {
    var before: T
    var after: T

    var reversed: Change { Change(before: after, after: before) }
  }

  enum Life {
    case absent, present, deleted

    init(of object: ManagedObject) {
      if object.state.contains(.removed) || object.slot < 0 {
        self = .absent
      } else {
        self = object.state.isDisjoint(with: [.deleted, .vanishing]) ? .present : .deleted
      }
    }
  }

  struct Edit {
    let object: ManagedObject
    var life: Change<Life>
    var columns: [Int: Change<Value>] = [:]
    /// Whether an ID is a member of a to-many relationship.
    var members: [Member: Change<Bool>] = [:]

    /// Joins the two entries of a member whose ID became permanent during the event.
    mutating func joinMembers(_ permanentIDs: PermanentIDLog) {
      for (old, change) in members {
        guard let id = permanentIDs[old.id] else { continue }
        let new = Member(relationship: old.relationship, id: id)
        guard members[new] != nil else { continue }
        members[old] = nil
        members[new]?.before = change.before
      }
    }
  }

  struct Member: Hashable {
    let relationship: Int
    let id: ManagedObjectID
  }

  private(set) var edits: [Edit] = []
  private var indexes: [ManagedObject: Int] = [:]

  init() {}

  private init(_ edits: some Sequence<Edit>) {
    for edit in edits { append(edit) }
  }

  private mutating func append(_ edit: Edit) {
    indexes[edit.object] = edits.count
    edits.append(edit)
  }

  var isEmpty: Bool { edits.isEmpty }

  mutating func add(_ object: ManagedObject) { _ = index(of: object) }

  mutating func note(_ object: ManagedObject, column: Int, from: Value, to: Value) {
    let index = index(of: object)
    edits[index].columns[column, default: Change(before: from, after: to)].after = to
  }

  mutating func note(_ object: ManagedObject, _ member: Member, from: Bool, to: Bool) {
    let index = index(of: object)
    edits[index].members[member, default: Change(before: from, after: to)].after = to
  }

  private mutating func index(of object: ManagedObject) -> Int {
    if let index = indexes[object] { return index }
    let life = Life(of: object)
    append(Edit(object: object, life: Change(before: life, after: life)))
    return edits.count - 1
  }

  mutating func append(_ later: UndoGroup) {
    for edit in later.edits {
      guard let index = indexes[edit.object] else {
        append(edit)
        continue
      }
      edits[index].life.after = edit.life.after
      edits[index].columns.merge(edit.columns) { Change(before: $0.before, after: $1.after) }
      edits[index].members.merge(edit.members) { Change(before: $0.before, after: $1.after) }
    }
  }

  func life(of object: ManagedObject) -> Change<Life>? { indexes[object].map { edits[$0].life } }

  func ended(_ permanentIDs: PermanentIDLog) -> UndoGroup {
    var group = self
    for index in edits.indices {
      group.edits[index].life.after = Life(of: edits[index].object)
      if !permanentIDs.isEmpty { group.edits[index].joinMembers(permanentIDs) }
    }
    return group
  }

  /// Leaves out objects that have left the context since, for instance because a row with the same
  /// unique values replaced them. The group did not remove them, so it must not bring them back.
  func leavingOutLost() -> UndoGroup {
    UndoGroup(edits.filter { $0.life.before != .present || Life(of: $0.object) != .absent })
  }

  /// The opposite changes in the opposite order.
  func reversed() -> UndoGroup {
    UndoGroup(
      edits.reversed().map { edit in
        var edit = edit
        edit.life = edit.life.reversed
        edit.columns = edit.columns.mapValues(\.reversed)
        edit.members = edit.members.mapValues(\.reversed)
        return edit
      })
  }
}
