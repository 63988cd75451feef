import Support
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct RelationshipAgreementTests {
  @Test(arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)])
  func `rows and pairs agree with plain collections`(seed: UInt64) throws {
    var story = try FamilyStory(seed: seed)
    for step in 1...120 {
      try story.save()
      let differences = try story.differences()
      guard differences.isEmpty else {
        Issue.record("seed \(seed), step \(step): \(differences.joined(separator: "; "))")
        return
      }
    }
    #expect(story.deletedCount > 20 && story.linkCount > 20)
  }
}

private struct FamilyStory {
  private struct Pair: Hashable {
    let from: ManagedObjectID
    let to: ManagedObjectID
  }

  private let store: FamilyStore
  private var generator: SplitMix64
  private var rows: [ManagedObjectID: RowSnapshot] = [:]
  /// By relationship. Each pair appears in both directions.
  private var pairs: [String: Set<Pair>] = [:]
  private(set) var deletedCount = 0
  private(set) var linkCount = 0
  private static let inverses = [
    "friends": "friends", "children": "parents", "parents": "children", "projects": "members",
    "members": "projects",
  ]

  init(seed: UInt64) throws {
    store = try FamilyStore(seed % 2 == 0 ? .serial : .pool)
    generator = SplitMix64(seed: seed)
  }

  mutating func save() throws {
    var request = SaveRequest()
    var new: [ManagedObjectID] = []
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      guard let entity = store.family.model.entities.randomElement(using: &generator) else { break }
      new.append(store.temporaryID(entity))
    }
    request.inserts = new.map { .init(id: $0, values: values(of: $0, among: new)) }
    for (id, row) in rows.sorted(by: precedes) {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: request.deletes.append(.init(id: id, version: row.version))
      case 1...4:
        let changed = AttributeMask(rawValue: .random(in: 0..<64, using: &generator))
          .intersection(AttributeMask(rawValue: 1 << UInt64(row.values.count) - 1))
        let new = values(of: id, among: new)
        var values = row.values
        changed.forEachIndex { values[$0] = new[$0] }
        request.updates.append(
          .init(id: id, values: values, changed: changed, version: row.version))
      default: break
      }
    }
    addLinks(to: &request, new: new)
    let ids = try store.coordinator.save(request)
    take(request, names: Dictionary(uniqueKeysWithValues: zip(new, ids)))
  }

  private mutating func addLinks(to request: inout SaveRequest, new: [ManagedObjectID]) {
    let gone = Set(request.deletes.map(\.id))
    let alive = rows.keys.filter { !gone.contains($0) }.sorted(by: precedes) + new
    for source in alive {
      let entity = store.family.model.resolved[Int(source.entityIndex)]
      for (index, relationship) in entity.toMany.enumerated()
      where relationship.isManyToMany && Bool.random(using: &generator) {
        let kinds = store.family.model.resolved[relationship.destination].kinds
        let targets = alive.filter { kinds.contains(Int($0.entityIndex)) }
        guard let target = targets.randomElement(using: &generator) else { continue }
        let link = SaveRequest.Link(source: source, relationship: index, destination: target)
        if Int.random(in: 0..<3, using: &generator) > 0 {
          request.linked.append(link)
        } else if !source.isTemporary, !target.isTemporary {
          request.unlinked.append(link)
        }
      }
    }
  }

  private mutating func values(
    of id: ManagedObjectID, among new: [ManagedObjectID]
  ) -> ContiguousArray<Value> {
    let entity = store.family.model.resolved[Int(id.entityIndex)]
    let known = rows.keys.sorted(by: precedes) + new
    return ContiguousArray(
      entity.entity.columns.enumerated().map { index, column in
        if let relationship = entity.toOne[index] {
          let kinds = store.family.model.resolved[relationship.destination].kinds
          let targets = known.filter { kinds.contains(Int($0.entityIndex)) }
          return targets.randomElement(using: &generator).map { .object($0) } ?? .null
        }
        // No constraint fails by chance.
        let number = Int64.random(in: 0..<Int64.max, using: &generator)
        if column.isTransient { return .string("fine") }
        return column.attribute?.type == .int64 ? .int64(number) : .string("\(number)")
      })
  }

  private mutating func take(
    _ request: SaveRequest, names: [ManagedObjectID: ManagedObjectID]
  ) {
    func named(_ id: ManagedObjectID) -> ManagedObjectID { names[id] ?? id }
    func row(_ values: ContiguousArray<Value>, version: Int64) -> RowSnapshot {
      RowSnapshot(
        values: ContiguousArray(
          values.map { value in value.objectID.map { .object(named($0)) } ?? value }),
        version: version)
    }
    for insert in request.inserts { rows[named(insert.id)] = row(insert.values, version: 1) }
    for update in request.updates {
      rows[update.id] = row(update.values, version: update.version + 1)
    }
    for delete in request.deletes { rows[delete.id] = nil }
    for delete in request.deletes {
      clearKeys(of: delete.id)
      for name in pairs.keys {
        pairs[name] = pairs[name]?.filter { $0.from != delete.id && $0.to != delete.id }
      }
    }
    for link in request.unlinked { change(link, named) { $0.remove($1) } }
    for link in request.linked { change(link, named) { $0.insert($1) } }
    deletedCount += request.deletes.count
    linkCount += request.linked.count
  }

  /// The save clears one-to-one keys that lead to a deleted row.
  private mutating func clearKeys(of id: ManagedObjectID) {
    for relationship in store.family.model.resolved[Int(id.entityIndex)].relationships {
      guard case (.toOne, .toOne(let column)?) = (relationship.end, relationship.inverse) else {
        continue
      }
      let kinds = store.family.model.resolved[relationship.destination].kinds
      for (other, row) in rows
      where kinds.contains(Int(other.entityIndex)) && row.values[column] == .object(id) {
        var values = row.values
        values[column] = .null
        rows[other] = RowSnapshot(values: values, version: row.version + 1)
      }
    }
  }

  private mutating func change(
    _ link: SaveRequest.Link, _ named: (ManagedObjectID) -> ManagedObjectID,
    _ body: (inout Set<Pair>, Pair) -> Void
  ) {
    let entity = store.family.model.entities[Int(link.source.entityIndex)]
    let name = entity.toManyRelationships[link.relationship].name
    let (source, destination) = (named(link.source), named(link.destination))
    body(&pairs[name, default: []], Pair(from: source, to: destination))
    body(&pairs[Self.inverses[name] ?? "", default: []], Pair(from: destination, to: source))
  }

  /// Read by a coordinator with an empty cache.
  func differences() throws -> [String] {
    let coordinator = try SQLiteCoordinator(store.configuration, model: store.family.model)
    var found: [ManagedObjectID: RowSnapshot] = [:]
    for entity in store.family.model.entities where entity.parent == nil {
      for row in try coordinator.fetch(FetchRequest(entity)) { found[row.id] = row.snapshot }
    }
    var differences = found == rows ? [] : ["rows: \(found) instead of \(rows)"]
    for id in rows.keys {
      for (index, relationship) in store.family.model.resolved[Int(id.entityIndex)].toMany
        .enumerated()
      {
        let related = try store.coordinator.related(to: id, at: index)
        let expected = expected(id, relationship)
        if related != expected {
          differences.append(
            "\(relationship.description.name) of \(id): \(related) instead of \(expected)")
        }
      }
    }
    return differences
  }

  private func expected(
    _ id: ManagedObjectID, _ relationship: ResolvedRelationship
  ) -> [ManagedObjectID] {
    if case .toOne(let column)? = relationship.inverse {
      let kinds = store.family.model.resolved[relationship.destination].kinds
      return rows.filter { other, row in
        kinds.contains(Int(other.entityIndex)) && row.values[column] == .object(id)
      }.keys.sorted(by: precedes)
    }
    let all = pairs[relationship.description.name] ?? []
    return all.filter { $0.from == id }.map(\.to).sorted(by: precedes)
  }
}

private func precedes(_ a: ManagedObjectID, _ b: ManagedObjectID) -> Bool {
  Value.object(a).order(relativeTo: .object(b)) < 0
}

private func precedes<T>(
  _ a: (key: ManagedObjectID, value: T), _ b: (key: ManagedObjectID, value: T)
)
  -> Bool
{
  precedes(a.key, b.key)
}
