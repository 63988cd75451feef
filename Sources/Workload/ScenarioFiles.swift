/// Where the rows of a scenario come from: the bytes of its data files, read once for the rows and
/// for the digest; or a seed.
struct ScenarioFiles {
  private enum Content {
    case files(before: [UInt8], after: [UInt8])
    case generated(Generation)
  }

  private let content: Content

  init(reading scenario: Scenario) throws(ScenarioError) {
    if let generation = scenario.generation {
      content = .generated(generation)
    } else {
      content = .files(
        before: try FileContent.bytes(of: scenario.data.before),
        after: try FileContent.bytes(of: scenario.data.after))
    }
  }

  /// Typed, and reduced to the first keys where the scenario says how many.
  func dataSets(
    for scenario: Scenario
  ) throws(ScenarioError) -> (before: DataSet, after: DataSet) {
    switch content {
    case .files(let before, let after): try Self.dataSets(before, after, for: scenario)
    case .generated(let generation): generation.dataSets(scenario.entity)
    }
  }

  private static func dataSets(
    _ before: [UInt8], _ after: [UInt8], for scenario: Scenario
  ) throws(ScenarioError) -> (before: DataSet, after: DataSet) {
    let entity = scenario.entity
    let before = try DataSet(csv: before, file: scenario.data.before, entity: entity)
    let after = try DataSet(csv: after, file: scenario.data.after, entity: entity)
    guard let count = scenario.data.rows else { return (before, after) }
    // Of the union, so that a small size has inserts and deletes as well as updates.
    let keys = Set(Set(before.keys).union(after.keys).sorted().prefix(count))
    return (
      before.keeping(keys, keyIndex: entity.keyIndex),
      after.keeping(keys, keyIndex: entity.keyIndex)
    )
  }

  /// SHA-256 over what changes the work: every field of that role which is not at its default, in
  /// the order of their paths, and the content of both files or what stands for it.
  ///
  /// Neither names and paths count, nor the number of trials. Fields at their default are left out,
  /// so that a field which is added later does not disown results taken before it; a default that
  /// changes must change `version`.
  func digest(of scenario: Scenario) -> String {
    var hash = SHA256()
    hash.update(Array(Self.canonicalText(of: scenario).utf8))
    switch content {
    case .files(let before, let after):
      for (name, bytes) in [("before", before), ("after", after)] {
        hash.update(Array("\(name) \(bytes.count)\n".utf8))
        hash.update(bytes)
      }
    // The fields of `generate` are in the text above, and decide the rows with the generator.
    case .generated: hash.update(Array("\(RowGenerator.version)\n".utf8))
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
