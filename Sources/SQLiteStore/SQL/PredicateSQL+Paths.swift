import ObjectGraph

// A key path becomes a sub-select, so that no column is ambiguous and no row appears twice:
//
//   country.name                (SELECT t1.ZNAME FROM ZCOUNTRY AS t1 WHERE t1.Z_PK = t0.ZCOUNTRY)
//   ANY cities.size > 5         EXISTS (SELECT 1 FROM ZCITY AS t1
//                                       WHERE t1.ZCOUNTRY = t0.Z_PK AND (t1.ZSIZE > ?))
//   ANY tags.name == 'x'        EXISTS (SELECT 1 FROM Z_1TAGS AS t1, ZTAG AS t2
//                                     WHERE t1.Z_1NOTES = t0.Z_PK AND t2.Z_PK = t1.Z_2TAGS AND (…))
//
// If a to-one relationship is null, the first form is null and the others find nothing. Beyond
// about nine nested levels, SQLite's parser throws "parser stack overflow".

extension PredicateSQL {
  func kind(of column: Int, ofEntity index: Int) -> ValueKind {
    if let type = schema.tables[index].comparedTypes[column] { return .attribute(type) }
    let relationship = schema.model.resolved[index].relationship(at: .toOne(column: column))
    return .object(relationship.destination)
  }

  func kind(of path: PredicatePath) -> ValueKind {
    let index = path.steps.reduce(origin(of: path).resolved.index) { index, step in
      schema.model.resolved[index].relationship(at: step).destination
    }
    return path.column.map { kind(of: $0, ofEntity: index) } ?? .object(index)
  }

  /// Nil if the path follows a relationship.
  func plainColumn(_ path: PredicatePath) -> String? {
    guard path.steps.isEmpty, let column = path.column else { return nil }
    let level = origin(of: path)
    return level.alias + "." + level.table.quotedColumn(column)
  }

  mutating func emit(_ path: PredicatePath) { emit(text(of: path)) }

  mutating func text(of path: PredicatePath) -> String {
    value(at: path.steps[...], path.column, of: origin(of: path))
  }

  mutating func text(of term: SortTerm) -> String {
    let isColumn = term.steps.isEmpty && term.options.isEmpty
    let text = isColumn ? level.table.quotedColumn(term.attribute) : text(of: term.path)
    return TextFunctions.ordered(text, by: term)
  }

  private mutating func value(
    at steps: ArraySlice<RelationshipEnd>, _ column: Int?, of level: Level
  ) -> String {
    guard let step = steps.first else {
      return level.alias + "." + (column.map { level.table.quotedColumn($0) } ?? "Z_PK")
    }
    guard case .toOne(let key) = step else {
      fatalError("a to-many key path has no single value; use any, all or none")
    }
    let next = destination(of: level, step)
    let value = value(at: steps.dropFirst(), column, of: next)
    return "(SELECT \(value) FROM \(next.table.quotedName) AS \(next.alias)"
      + " WHERE \(next.alias).Z_PK = \(level.alias).\(level.table.quotedColumn(key)))"
  }

  private mutating func destination(of level: Level, _ step: RelationshipEnd) -> Level {
    let index = level.resolved.relationship(at: step).destination
    return Level(
      table: schema.tables[index], resolved: schema.model.resolved[index], alias: nextAlias())
  }

  /// Emits ` FROM … WHERE …`: the matching objects at the end of a path.
  mutating func addObjects(of path: PredicatePath, matching predicate: FetchPredicate) {
    let (text, level) = objects(of: path)
    emit(text)
    guard predicate != .true else { return }
    emit(" AND (")
    add(predicate, of: level)
    emit(")")
  }

  private mutating func objects(of path: PredicatePath) -> (sql: String, Level) {
    var level = origin(of: path)
    var sources: [String] = []
    var conditions: [String] = []
    for step in path.steps {
      let next = destination(of: level, step)
      conditions += joining(next, to: level, by: step, from: &sources)
      level = next
    }
    let (tables, tests) = (sources.joined(separator: ", "), conditions.joined(separator: " AND "))
    return (" FROM \(tables) WHERE \(tests)", level)
  }

  mutating func text(of value: RelatedValue) -> String {
    switch value.source {
    case .column(let path): return text(of: path)
    case .count(let path): return "(SELECT count(*)\(objects(of: path).sql))"
    case .last(let path, let terms, let column):
      let (sql, last) = objects(of: path)
      let order = terms.map { term in
        TextFunctions.ordered(last.alias + "." + last.table.quotedColumn(term.attribute), by: term)
          + (term.isAscending ? " DESC" : "")
      }
      return "(SELECT \(last.alias).\(last.table.quotedColumn(column))\(sql)"
        + " ORDER BY \(order.joined(separator: ", ")) LIMIT 1)"
    }
  }

  func type(of value: RelatedValue) -> AttributeType {
    let type: AttributeType? =
      switch value.source {
      case .column(let path): kind(of: path).type
      case .count: .int64
      case .last(let path, _, let column):
        kind(of: path.following(column: column)).type
      }
    guard let type else { fatalError("a related value is an attribute's") }
    return type
  }

  /// Returns the join conditions. Adds its tables to `sources`.
  private mutating func joining(
    _ next: Level, to level: Level, by step: RelationshipEnd, from sources: inout [String]
  ) -> [String] {
    defer { sources.append("\(next.table.quotedName) AS \(next.alias)") }
    switch step {
    case .toOne(let column):
      return ["\(next.alias).Z_PK = \(level.alias).\(level.table.quotedColumn(column))"]
    case .toMany(let index):
      switch schema.toMany[level.resolved.index][index].path {
      case .column(let column): return ["\(next.alias).\(column) = \(level.alias).Z_PK"]
      case .pairs(let pairs):
        let alias = nextAlias()
        sources.append("\(pairs.table) AS \(alias)")
        return [
          "\(alias).\(pairs.mine) = \(level.alias).Z_PK",
          "\(next.alias).Z_PK = \(alias).\(pairs.theirs)",
        ]
      }
    }
  }
}
