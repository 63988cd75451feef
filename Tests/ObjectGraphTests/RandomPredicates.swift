import Support
import Foundation
import ObjectGraph
import TestSupport

/// Well-typed predicates, with values from the same small set as `RandomAtlas`.
struct RandomPredicates {
  var random: SplitMix64
  var objects: [ManagedObjectID] = []
  private let model = Atlas.model

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func predicate(of entity: Entity, depth: Int = 3) -> FetchPredicate {
    predicate([model.resolved(entity)], depth: depth)
  }

  private typealias Levels = [ResolvedEntity]

  private mutating func predicate(_ levels: Levels, depth: Int) -> FetchPredicate {
    guard depth > 0 else { return comparison(levels) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .not(predicate(levels, depth: depth - 1))
    case 1: return .and(parts(levels, depth: depth - 1))
    case 2: return .or(parts(levels, depth: depth - 1))
    case 3, 4:
      let (path, inner) = objectsPath(levels)
      return .some(path, predicate(levels + [inner], depth: depth - 1))
    case 5:
      let (path, inner) = objectsPath(levels)
      return .not(.some(path, .not(predicate(levels + [inner], depth: depth - 1))))
    case 6: return count(levels, depth: depth)
    case 7: return random.chance(4) ? random.pick([.true, .false]) : comparison(levels)
    default: return comparison(levels)
    }
  }

  private mutating func parts(_ levels: Levels, depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(levels, depth: depth) }
  }

  private mutating func count(_ levels: Levels, depth: Int) -> FetchPredicate {
    let (path, inner) = objectsPath(levels)
    let condition: FetchPredicate =
      random.chance(2) ? .true : predicate(levels + [inner], depth: depth - 1)
    let number = Value.int64(Int64.random(in: 0...3, using: &random))
    return .comparing(.count(path, condition), comparisonSign(), .constant(number))
  }

  // MARK: Paths

  /// Follows up to two to-one relationships.
  private mutating func origin(_ levels: Levels) -> (PredicatePath, ResolvedEntity) {
    let level = random.chance(3) ? Int.random(in: 0..<levels.count, using: &random) : 0
    var (path, entity) = (PredicatePath(level: level), levels[levels.count - 1 - level])
    while random.chance(3), path.steps.count < 2 {
      guard let step = entity.toOne.compactMap(\.self).randomElement(using: &random),
        case .toOne(let column) = step.end
      else { break }
      path = path.following(column: column)
      entity = model.resolved[step.destination]
    }
    return (path, entity)
  }

  private mutating func objectsPath(_ levels: Levels) -> (PredicatePath, ResolvedEntity) {
    let (path, entity) = origin(levels)
    let index = Int.random(in: 0..<entity.toMany.count, using: &random)
    return (path.following(toMany: index), model.resolved[entity.toMany[index].destination])
  }

  private mutating func attribute(
    _ levels: Levels, where isFit: (AttributeType) -> Bool = { _ in true }
  ) -> (FetchExpression, AttributeType)? {
    let (path, entity) = origin(levels)
    let columns = entity.entity.columns.indices.filter {
      guard let attribute = entity.entity.columns[$0].attribute else { return false }
      return !attribute.isTransient && isFit(attribute.type)
    }
    guard let column = columns.randomElement(using: &random),
      let type = entity.entity.columns[column].attribute?.type
    else { return nil }
    return (.path(path.following(column: column)), type)
  }

  /// One or two criteria, some over relationships or without case.
  mutating func order(of entity: Entity) -> [ObjectGraph.SortTerm] {
    (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in
      guard case (.path(let path), let type)? = attribute([model.resolved(entity)]) else {
        return nil
      }
      let options = type == .string && random.chance(2) ? options() : []
      return SortTerm(path, isAscending: random.chance(2), options: options)
    }
  }

  // MARK: Comparisons

  private mutating func comparison(_ levels: Levels) -> FetchPredicate {
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return text(levels) ?? identity(levels)
    case 2: return identity(levels)
    case 3: return list(levels) ?? .true
    case 4: return twoAttributes(levels) ?? identity(levels)
    default: return constant(levels) ?? .false
    }
  }

  private mutating func comparisonSign() -> FetchPredicate.Comparison {
    random.pick(FetchPredicate.Comparison.allCases)
  }

  private mutating func constant(_ levels: Levels) -> FetchPredicate? {
    guard let (expression, type) = attribute(levels) else { return nil }
    let sign = comparisonSign()
    if type == .string, random.chance(4) {
      return .comparing(expression, sign, .constant(RandomAtlas.value(type, &random)), options())
    }
    let value = random.chance(6) ? .null : value(like: type)
    guard let converted = value.converted(to: type) else {
      return .test(PredicateTest(expression, .compare(sign, []), .constant(value)))
    }
    return .comparing(expression, sign, .constant(converted))
  }

  private mutating func value(like type: AttributeType) -> Value {
    let isOther = type.isNumber && random.chance(3)
    return RandomAtlas.value(
      isOther ? random.pick([.int64, .double, .bool, .decimal]) : type, &random)
  }

  private mutating func twoAttributes(_ levels: Levels) -> FetchPredicate? {
    guard let (a, type) = attribute(levels),
      let (b, _) = attribute(levels, where: { $0 == type || $0.isNumber && type.isNumber })
    else { return nil }
    return .comparing(a, comparisonSign(), b, type == .string && random.chance(3) ? options() : [])
  }

  private mutating func list(_ levels: Levels) -> FetchPredicate? {
    guard let (expression, type) = attribute(levels) else { return nil }
    let values = (0..<Int.random(in: 0...4, using: &random)).map { _ -> Value in
      let value = random.chance(6) ? .null : value(like: type)
      return value.converted(to: type) ?? value
    }
    return .looking(
      expression, in: ValueSet(values), type == .string && random.chance(3) ? options() : [])
  }

  private mutating func options() -> TextOptions { TextOptions(rawValue: random.pick([1, 2, 3])) }

  private mutating func text(_ levels: Levels) -> FetchPredicate? {
    guard let (expression, _) = attribute(levels, where: { $0 == .string }) else { return nil }
    let operation = random.pick(TextOperator.allCases)
    let options = random.chance(2) ? [] : options()
    if random.chance(4), let (other, _) = attribute(levels, where: { $0 == .string }) {
      return .testing(expression, operation, options, other)
    }
    let pattern: String
    switch operation {
    case .matches: pattern = random.pick(["a.*", "[Aé]b?", ".", "", "\\w+", "a|ab", "É"])
    case .like: pattern = random.pick(["a*", "*b", "?", "*", "", "a?*", "\\*", "É*", "e?", "*é*"])
    default: pattern = RandomAtlas.texts.randomElement(using: &random) ?? ""
    }
    return .testing(expression, operation, options, .constant(.string(pattern)))
  }

  /// Compares an object, or a to-one relationship's target.
  private mutating func identity(_ levels: Levels) -> FetchPredicate {
    let (path, _) = origin(levels)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let some = (0..<3).map { _ in Value.object(random.pick(objects)) }
      return .looking(.path(path), in: ValueSet(some))
    case 1: return .comparing(.path(path), random.pick([.equal, .notEqual]), .constant(.null))
    default:
      let object = Value.object(random.pick(objects))
      return .comparing(.path(path), random.pick([.equal, .notEqual]), .constant(object))
    }
  }
}

extension FetchPredicate {
  private var parts: [FetchPredicate] {
    switch self {
    case .and(let parts), .or(let parts): parts
    case .not(let part): [part] + part.parts.map { .not($0) }
    case .some(let path, let part):
      [.some(path, .true)] + part.parts.filter { $0 != .true }.map { .some(path, $0) }
    default: []
    }
  }

  /// The smallest part that satisfies `holds`.
  func shrunk(while holds: (FetchPredicate) throws -> Bool) rethrows -> FetchPredicate {
    for part in parts where part != self {
      if try holds(part) { return try part.shrunk(while: holds) }
    }
    return self
  }
}
