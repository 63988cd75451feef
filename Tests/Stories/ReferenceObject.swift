/// A context's view of one object: the row of the level below when it was read, and later edits.
final class ReferenceObject {
  enum Change {
    case none, inserted, updated, deleted
    /// Inserted and deleted, before the delete rules are applied.
    case vanishing
    /// The row was deleted elsewhere. The object is deleted here, with nothing to save.
    case ghost
  }

  enum News { case inserted, updated, deleted, refreshed }

  struct Members: Equatable {
    /// Nil for a fault.
    var below: Set<Int>?
    var edits: [Int: Bool] = [:]

    var view: Set<Int> {
      (below ?? []).filter { edits[$0] != false }.union(edits.filter(\.value).keys)
    }

    /// An edit to an equal value changes nothing.
    mutating func set(_ m: Int, _ isMember: Bool) {
      edits[m] = below.map { $0.contains(m) } == isMember ? nil : isMember
    }

    mutating func forget(_ m: Int) {
      edits[m] = nil
      below?.remove(m)
    }

    /// Takes one membership from the level below.
    mutating func settle(_ m: Int, isMember: Bool) {
      forget(m)
      if isMember { below?.insert(m) }
    }

    mutating func load(_ numbers: Set<Int>) {
      below = numbers
      for (m, isMember) in edits { set(m, isMember) }
    }
  }

  let n: Int
  let kind: Kind
  var isFault: Bool
  /// Nil for a fault, and for an object unknown to all levels below.
  var base: ReferenceRow?
  /// Includes edits to equal values. An entry of nil is null.
  var edits: [Property: Int?] = [:]
  var members: [Relation: Members] = [:]
  var change = Change.none
  /// Unchanged, but the save gives its row a new version, because new relations lead to it.
  var isTarget = false
  /// An insert brings it back.
  var hasLostRow = false
  var news: Set<News> = []

  init(_ n: Int, _ kind: Kind) {
    self.n = n
    self.kind = kind
    isFault = true
  }

  var view: ReferenceRow {
    var row = base ?? ReferenceRow(kind: kind)
    for (property, value) in edits { row.values[property] = value }
    return row
  }

  var changedValues: [Property: Int?] {
    change == .inserted ? edits : edits.filter { $0.value != base?.values[$0.key] }
  }

  var allValues: [Property: Int?] {
    Dictionary(uniqueKeysWithValues: kind.properties.map { ($0, view.values[$0]) })
  }

  var isPending: Bool { change == .inserted || change == .updated || change == .deleted }
  var isGhost: Bool { change == .ghost }
  var isDeleted: Bool { change == .deleted || change == .ghost }
  var isGoing: Bool { isDeleted || change == .vanishing }
  var isPersistent: Bool { change == .none || change == .updated }

  var isWritten: Bool {
    change == .inserted || change == .deleted
      || (change == .updated && (hasChangedValues || isTarget))
  }

  var hasChangedValues: Bool {
    !changedValues.isEmpty || members.contains { !$0.value.edits.isEmpty }
  }

  var targets: [Int] { kind.links.compactMap { view.values[$0] } + newPairs }
  var savedTargets: [Int] { newLinks + newPairs }
  var newTargets: [Int] { newLinks + members.values.flatMap { $0.edits.filter(\.value).keys } }

  private var newLinks: [Int] {
    changedValues.filter { $0.key.destination != nil }.compactMap { $0.value }
  }

  private var newPairs: [Int] {
    members.filter { if case .many = $0.key.inverse { true } else { false } }
      .values.flatMap { $0.edits.filter(\.value).keys }
  }

  func dropMemberEdits() {
    for relation in kind.relations { members[relation]?.edits = [:] }
  }

  func realise(_ row: ReferenceRow) {
    isFault = false
    hasLostRow = false
    base = row
    edits = [:]
    members = Dictionary(uniqueKeysWithValues: kind.relations.map { ($0, Members()) })
  }

  /// Edits stay on top of the new row. Setting an equal value was no edit. The delete rules of a
  /// deleted object need the row's links.
  func rebase(on row: ReferenceRow) {
    guard !isFault else { return realise(row) }
    edits = changedValues
    if isDeleted { for link in kind.links { edits.removeValue(forKey: link) } }
    base = row
    hasLostRow = false
    for relation in kind.relations { members[relation]?.below = nil }
  }

  func turnIntoFault() {
    isFault = true
    base = nil
    edits = [:]
    members = [:]
    if change == .updated { change = .none }
  }

  /// After a save the current values are those of the level below. Only the store has versions.
  func settle(isStored: Bool) {
    let wasWritten = isStored && isWritten
    base = view
    if wasWritten { base?.version += 1 }
    edits = [:]
    hasLostRow = false
    isTarget = false
    for relation in kind.relations {
      let known = members[relation].flatMap { $0.below == nil ? nil : $0.view }
      members[relation] = Members(below: known)
    }
    change = .none
  }
}
