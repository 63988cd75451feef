/// The source of a scenario's rows: a seed, or data files, whose bytes are read once for both the
/// rows and the digest.
struct ScenarioFiles {
  private enum Content {
    case files(Bytes, others: [Bytes])
    case generated(Generation)
  }

  private struct Bytes {
    let before: [UInt8]
    let after: [UInt8]

    init(_ before: String, _ after: String) throws(ScenarioError) {
      self.before = try FileContent.bytes(of: before)
      self.after = try FileContent.bytes(of: after)
    }
  }

  private let content: Content

  init(reading scenario: Scenario) throws(ScenarioError) {
    if let generation = scenario.generation {
      content = .generated(generation)
    } else {
      var others: [Bytes] = []
      for other in scenario.others { others.append(try Bytes(other.before, other.after)) }
      content = .files(try Bytes(scenario.data.before, scenario.data.after), others: others)
    }
  }

  /// The rows of every entity; the list's come first. If the scenario sets a number of rows, only
  /// the list's first keys are kept.
  func tables(for scenario: Scenario) throws(ScenarioError) -> [TableRows] {
    switch content {
    case .generated(let generation):
      return try generation.tables(of: scenario)
    case .files(let bytes, let others):
      let (before, after) = try Self.dataSets(bytes, for: scenario)
      var tables = [TableRows(entity: scenario.entity, before: before, after: after)]
      for (other, bytes) in zip(scenario.others, others) {
        tables.append(
          TableRows(
            entity: other.entity,
            before: try DataSet(csv: bytes.before, file: other.before, entity: other.entity),
            after: try DataSet(csv: bytes.after, file: other.after, entity: other.entity)))
      }
      return try TableRows.related(tables, of: scenario)
    }
  }

  private static func dataSets(
    _ bytes: Bytes, for scenario: Scenario
  ) throws(ScenarioError) -> (before: DataSet, after: DataSet) {
    let entity = scenario.entity
    let before = try DataSet(csv: bytes.before, file: scenario.data.before, entity: entity)
    let after = try DataSet(csv: bytes.after, file: scenario.data.after, entity: entity)
    guard let count = scenario.data.rows else { return (before, after) }
    // The keys of both files, so that a small size has inserts and deletes as well as updates.
    let keys = Set(Set(before.keys).union(after.keys).sorted().prefix(count))
    return (
      before.keeping(keys, keyIndex: entity.keyIndex),
      after.keeping(keys, keyIndex: entity.keyIndex)
    )
  }

  /// SHA-256 over what influences the work: the fields of that role, ordered by path, and the
  /// content of all data files.
  ///
  /// Names, paths and the number of trials do not count. A field at its default is left out, so
  /// that adding a field keeps old digests valid. Changing a default therefore requires a new
  /// `version`.
  func digest(of scenario: Scenario) -> String {
    var hash = SHA256()
    hash.update(Array(Self.canonicalText(of: scenario).utf8))
    switch content {
    case .files(let bytes, let others):
      for (name, bytes) in [("before", bytes.before), ("after", bytes.after)] {
        hash.update(Array("\(name) \(bytes.count)\n".utf8))
        hash.update(bytes)
      }
      for (other, bytes) in zip(scenario.others, others) {
        for (name, bytes) in [("before", bytes.before), ("after", bytes.after)] {
          hash.update(Array("\(other.entity.name) \(name) \(bytes.count)\n".utf8))
          hash.update(bytes)
        }
      }
    // The text above has the fields of `generate`; with the generator's version they determine
    // rows.
    case .generated(let generation):
      hash.update(Array("\(RowGenerator.version)\n".utf8))
      if generation.story != .rows || !scenario.others.isEmpty {
        hash.update(Array("\(Story.version)\n".utf8))
      }
    }
    return hash.finish()
  }

  private static let version = "topobench scenario 1"

  static func canonicalText(of scenario: Scenario) -> String {
    let lines = zip(ScenarioField.all, scenario.fields)
      .filter { field, given in
        field.role == .work && given.value.json != field.defaultValue?.json
      }
      .map { "\($1.path)=\($1.value.json)\n" }
    return "\(version)\n" + lines.sorted().joined()
  }
}
