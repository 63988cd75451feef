import ObjectGraph

/// Deleting a team deletes its players, deleting a player deletes the badge, and pupils of a
/// deleted player lose their mentor.
///
///     Team ═players⇉ Player ═badge═▶ Badge        Player ⇉pupils · mentor→ · ⇉rivals⇇
enum League {
  static let team = required {
    try Entity(
      name: "Team", attributes: attributes,
      relationships: [.toMany("players", "Player", inverse: "team", deleteRule: .cascade)])
  }

  static let player = required {
    try Entity(
      name: "Player", attributes: attributes,
      relationships: [
        .toOne("team", "Team", inverse: "players"),
        .toOne("mentor", "Player", inverse: "pupils"),
        .toOne("badge", "Badge", inverse: "owner", deleteRule: .cascade),
        .toMany("pupils", "Player", inverse: "mentor"),
        .toMany("rivals", "Player", inverse: "rivals"),
      ])
  }

  static let badge = required {
    try Entity(
      name: "Badge", attributes: [AttributeDescription("stamp", .int64, defaultValue: .int64(0))],
      relationships: [.toOne("owner", "Player", inverse: "badge")])
  }

  private static let attributes = [
    AttributeDescription("key", .int64, isIndexed: true),
    AttributeDescription("name", .string),
    AttributeDescription("stamp", .int64, defaultValue: .int64(0)),
  ]

  static let model = required { try Model([team, player, badge]) }

  // Teams and players have the same attributes at the same indexes.
  static let key = required { try AttributeKey<Int64>("key", of: player) }
  static let name = required { try AttributeKey<String>("name", of: player) }
  static let stamp = required { try AttributeKey<Int64>("stamp", of: player) }
  static let players = required { try ToManyKey("players", of: team) }
  static let teamOf = required { try ToOneKey("team", of: player) }
  static let mentor = required { try ToOneKey("mentor", of: player) }
  static let badgeOf = required { try ToOneKey("badge", of: player) }
  static let pupils = required { try ToManyKey("pupils", of: player) }
  static let rivals = required { try ToManyKey("rivals", of: player) }

  private static func required<R>(_ make: () throws -> R) -> R {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }
}

/// Identifies a team or player.
enum LeagueName: Hashable, Sendable {
  case team(Int64)
  case player(Int64)
}

extension ManagedObject {
  var leagueName: LeagueName {
    entity === League.team ? .team(self[League.key]) : .player(self[League.key])
  }
}

typealias LeagueState = [LeagueName: ContiguousArray<Value>]

extension ManagedObjectContext {
  func all(_ entity: Entity) throws -> [ManagedObject] {
    var request = FetchRequest(entity)
    request.returnsObjectsAsFaults = false
    return try fetch(request).sorted { $0[League.key] < $1[League.key] }
  }

  func leagueState() throws -> LeagueState {
    let objects = try all(League.team) + all(League.player)
    return Dictionary(uniqueKeysWithValues: objects.map { ($0.leagueName, $0.allValues) })
  }

  func enrol(_ key: Int64, _ name: String, stamp: Int64, in team: ManagedObject?) -> ManagedObject {
    let player = insert(League.player)
    player[League.key] = key
    player[League.name] = name
    player[League.stamp] = stamp
    player[League.teamOf] = team
    player[League.badgeOf] = insert(League.badge)
    return player
  }
}
