import Support
import Foundation
import ObjectGraph
import TestSupport

struct RandomAtlas {
  var random: SplitMix64

  static let texts = [
    "", "a", "A", "ab", "Ab", "aB", "é", "É", "e\u{301}", "ß", "SS", "a*", "b?", "\\", "\"'", "10",
    "\u{301}x", "a\nb", "😀",
  ]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  static func value(_ type: AttributeType, _ random: inout SplitMix64) -> Value {
    switch type {
    case .int64: .int64(random.pick([.min, -1, 0, 1, 2, 3, .max, 1 << 53 + 1]))
    case .double: .double(random.pick([-.infinity, -0.5, 0, 1, 1.5, 2, 1e300, 0x1p53]))
    case .bool: .bool(random.pick([true, false]))
    case .string: .string(random.pick(texts))
    case .date: .date(Date(timeIntervalSinceReferenceDate: random.pick([-1, 0, 0.5, 1])))
    case .data: .data(random.pick([Data(), Data([0]), Data([1, 2])]))
    case .decimal: .decimal(random.pick([-0.5, 0, 0.1, 1, 1.5, 2, 0.3, 9_007_199_254_740_99]))
    case .uuid: .uuid(random.pick([UUID(0, 0), UUID(0, 1), UUID(1 << 63, 0), UUID(1, .max)]))
    case .uri: .uri(random.pick(["a:b", "a:B", "a:b/é", "a:b/e\u{301}", "b:"]))
    }
  }

  /// - Returns: all objects, in an order that only depends on the seed.
  mutating func fill(_ context: ManagedObjectContext) -> [ManagedObject] {
    let kinds = [Atlas.country, Atlas.city, Atlas.harbour, Atlas.tag]
    let objects = zip(kinds, [5, 12, 6, 6]).flatMap { entity, count in
      (0..<count).map { _ in insert(entity, in: context) }
    }
    for object in objects { relate(object, to: objects) }
    return objects
  }

  mutating func insert(_ entity: Entity, in context: ManagedObjectContext) -> ManagedObject {
    let object = context.insert(entity)
    for column in entity.columns.indices { setAttribute(column, of: object) }
    return object
  }

  private mutating func setAttribute(_ column: Int, of object: ManagedObject) {
    guard let attribute = object.entity.columns[column].attribute else { return }
    let isNull = attribute.isOptional && random.chance(4)
    object[column] = isNull ? .null : Self.value(attribute.type, &random)
  }

  /// Adds to to-many relationships.
  mutating func relate(_ object: ManagedObject, to objects: [ManagedObject]) {
    for (column, relationship) in object.entity.columns.enumerated() {
      guard let relationship = relationship.relationship else { continue }
      let target = target(of: relationship, among: objects)
      object[column] = random.chance(4) ? .null : target.map { .object($0.objectID) } ?? .null
    }
    for relationship in object.entity.toManyRelationships where random.chance(2) {
      guard let key = try? ToManyKey(relationship.name, of: object.entity),
        let target = target(of: relationship, among: objects)
      else { continue }
      object.add(target, to: key)
    }
  }

  private mutating func target(
    of relationship: RelationshipDescription, among objects: [ManagedObject]
  ) -> ManagedObject? {
    let entity = Atlas.model.entity(named: relationship.destination)
    return objects.filter { object in entity.map(object.entity.isKind(of:)) ?? false }
      .randomElement(using: &random)
  }

  /// - Returns: the remaining objects.
  mutating func change(
    _ objects: [ManagedObject], in context: ManagedObjectContext
  ) -> [ManagedObject] {
    var objects = objects
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0..<objects.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        objects.append(insert(objects[place].entity, in: context))
      case 1 where objects.count > 20:
        context.delete(objects.remove(at: place))
      case 2: relate(objects[place], to: objects)
      default:
        let columns = objects[place].entity.columns.indices
        setAttribute(Int.random(in: columns, using: &random), of: objects[place])
      }
    }
    context.processPendingChanges()
    return objects
  }
}
