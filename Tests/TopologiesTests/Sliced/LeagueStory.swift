import Support
import ObjectGraph
import Queues
import TestSupport

/// A random save that records which rows each step changes. The ties follow from the steps, not
/// from the did-save.
struct LeagueSave {
  private let context: ManagedObjectContext
  private let stamp: Int64
  private var random: SplitMix64
  private(set) var steps: [Set<LeagueName>] = []
  private var touched: Set<LeagueName> = []

  /// Call it on the context's queue.
  init(_ number: Int, in context: ManagedObjectContext, seed: UInt64) {
    self.context = context
    stamp = Int64(number)
    random = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(number))
  }

  /// Rows that must arrive together: steps with a common row are joined.
  var ties: [Set<LeagueName>] {
    steps.reduce(into: []) { ties, step in
      let others = ties.filter { $0.isDisjoint(with: step) }
      ties = others + [ties.filter { !$0.isDisjoint(with: step) }.reduce(step) { $0.union($1) }]
    }
  }

  mutating func make() throws {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let players = try context.all(League.player).filter { !touched.contains($0.leagueName) }
      let teams = try context.all(League.team)
      guard players.count > 3, let team = teams.randomElement(using: &random) else { continue }
      let (player, other) = (random.pick(players), random.pick(players))
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<5: step([player])
      case 5..<8: move(player, to: team)
      case 8..<10: if player !== other { becomeRivals(player, other) }
      case 10..<12: if player !== other { take(player, as: other) }
      case 12..<15: insert(into: team)
      case 15..<17: delete(player)
      case 17..<19: replace(player)
      default: if teams.count > 2 { dissolve(team) }
      }
      // Applies the delete rules before the next step changes relationships.
      context.processPendingChanges()
    }
  }

  /// - Parameter others: objects whose rows change although no property is set here.
  private mutating func step(_ objects: [ManagedObject], taking others: [ManagedObject] = []) {
    for object in objects {
      object[League.stamp] = stamp
      object[League.name] = "\(random.pick(["a", "b", "c", "d"]))\(object[League.key] % 7)"
    }
    note(objects + others)
  }

  private mutating func note(_ objects: [ManagedObject]) {
    let names = Set(objects.map(\.leagueName))
    steps.append(names)
    touched.formUnion(names)
  }

  private mutating func move(_ player: ManagedObject, to team: ManagedObject) {
    let old = player[League.teamOf]
    guard old !== team else { return }
    player[League.teamOf] = team
    step([player, team] + [old].compactMap(\.self))
  }

  private mutating func becomeRivals(_ player: ManagedObject, _ other: ManagedObject) {
    guard !player[League.rivals].contains(other) else { return }
    player.add(other, to: League.rivals)
    step([player, other])
  }

  private mutating func take(_ pupil: ManagedObject, as mentor: ManagedObject) {
    guard pupil[League.mentor] !== mentor else { return }
    pupil[League.mentor] = mentor
    step([pupil, mentor])
  }

  private mutating func insert(into team: ManagedObject) {
    let key = Int64(1000) * stamp + Int64(steps.count)
    step([context.enrol(key, "new", stamp: stamp, in: team), team])
  }

  private mutating func delete(_ player: ManagedObject) {
    let pupils = Array(player[League.pupils])
    guard pupils.allSatisfy({ !touched.contains($0.leagueName) }) else { return }
    note([player] + pupils)
    if let team = player[League.teamOf] {
      step([team])
      steps.append([player.leagueName, team.leagueName])
    }
    context.delete(player)
  }

  private mutating func replace(_ player: ManagedObject) {
    let pupils = Array(player[League.pupils])
    guard pupils.allSatisfy({ !touched.contains($0.leagueName) }) else { return }
    note([player] + pupils)
    let successor = context.enrol(
      player[League.key], player[League.name], stamp: stamp, in: nil)
    context.delete(player)
    step([successor])
  }

  private mutating func dissolve(_ team: ManagedObject) {
    let players = Array(team[League.players])
    let all = [team] + players + players.flatMap { $0[League.pupils] }
    guard all.allSatisfy({ !touched.contains($0.leagueName) }) else { return }
    note(all)
    context.delete(team)
  }
}
