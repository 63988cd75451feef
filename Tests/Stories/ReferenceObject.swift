/// What a context knows of one object: what the level below had when it looked, and what was edited
/// here since.
final class ReferenceObject {
  enum Change {
    case none, inserted, updated, deleted
    /// Inserted and deleted, but the delete rules have not been applied yet.
    case vanishing
    /// The row is gone, by somebody else's doing: deleted here, with nothing to save.
    case ghost
  }

  enum News { case inserted, updated, deleted, refreshed }

  /// A to-many relationship.
  struct Members {
    /// Nil while it is a fault.
    var below: Set<Int>?
    var edits: [Int: Bool] = [:]

    var view: Set<Int> {
      (below ?? []).filter { edits[$0] != false }.union(edits.filter(\.value).keys)
    }

    /// An edit that says what is so already is none.
    mutating func set(_ m: Int, _ isMember: Bool) {
      edits[m] = below.map { $0.contains(m) } == isMember ? nil : isMember
    }

    mutating func load(_ numbers: Set<Int>) {
      below = numbers
      for (m, isMember) in edits { set(m, isMember) }
    }
  }

  let n: Int
  let kind: Kind
  var isFault: Bool
  /// Nil of a fault, and of what no level below knows.
  var base: ReferenceRow?
  /// Also those that say what is so already. A value of nil: null.
  var edits: [Property: Int?] = [:]
  var members: [Relation: Members] = [:]
  var change = Change.none
  var news: Set<News> = []

  /// A fault.
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

  /// What a save would tell the level below.
  var changedValues: [Property: Int?] {
    change == .inserted ? edits : edits.filter { $0.value != base?.values[$0.key] }
  }

  /// As edits, all of them.
  var allValues: [Property: Int?] {
    Dictionary(uniqueKeysWithValues: kind.properties.map { ($0, view.values[$0]) })
  }

  /// Whether a save sends it.
  var isPending: Bool { change == .inserted || change == .updated || change == .deleted }
  var isGhost: Bool { change == .ghost }
  var isDeleted: Bool { change == .deleted || change == .ghost }

  /// Whether a save of it writes a row.
  var isWritten: Bool {
    change == .inserted || change == .deleted || (change == .updated && hasChangedValues)
  }

  var hasChangedValues: Bool {
    !changedValues.isEmpty || members.contains { !$0.value.edits.isEmpty }
  }

  /// What its row and its new pairs name.
  var targets: [Int] {
    let links = kind.links.compactMap { view.values[$0] }
    let pairs = members.filter { if case .many = $0.key.inverse { true } else { false } }
    return links + pairs.values.flatMap { $0.edits.filter(\.value).keys }
  }

  /// What it was related to here.
  var newTargets: [Int] {
    let links = changedValues.filter { $0.key.destination != nil }.compactMap { $0.value }
    return links + members.values.flatMap { $0.edits.filter(\.value).keys }
  }

  func realise(_ row: ReferenceRow) {
    isFault = false
    base = row
    edits = [:]
    members = Dictionary(uniqueKeysWithValues: kind.relations.map { ($0, Members()) })
  }

  /// The level below has another row now; edits stay on top.
  func rebase(on row: ReferenceRow) {
    guard !isFault else { return realise(row) }
    base = row
    for relation in kind.relations { members[relation]?.below = nil }
  }

  func turnIntoFault() {
    isFault = true
    base = nil
    edits = [:]
    members = [:]
    if change == .updated { change = .none }
  }

  /// Saved: what is now is what the level below has.
  func settle() {
    let wasWritten = isWritten
    base = view
    if wasWritten { base?.version += 1 }
    edits = [:]
    for relation in kind.relations {
      let known = members[relation].flatMap { $0.below == nil ? nil : $0.view }
      members[relation] = Members(below: known)
    }
    change = .none
  }
}
