import Support

/// The source of a scenario's rows: a seed, or data files, whose bytes are read once for both the
/// rows and the digest.
struct DataSource {
  private struct File {
    let path: String
    let bytes: [UInt8]
    /// False for files outside the scenario's folder. Otherwise somebody else's scenario could make
    /// errors quote a private file.
    let isQuoted: Bool

    init(_ path: String, of scenario: Scenario) throws(InputError) {
      self.path = path
      bytes = try FileContent.bytes(of: path)
      isQuoted = FileContent.isBeside(path, scenario.file)
    }

    func rows(of entity: RowDescription, _ layout: DataLayout) throws(InputError) -> DataSet {
      try DataSet(bytes, file: path, entity: entity, layout: layout, isQuoted: isQuoted)
    }
  }

  private struct Files {
    let entity: RowDescription
    let layout: DataLayout
    let before: File
    let after: File
  }

  private let scenario: Scenario
  /// The list's files come first. Empty if rows are generated.
  private var files: [Files] = []
  private let savesFile: File?
  /// Nil for pairs that are made from a seed.
  private let pairsFiles: [File?]

  init(_ scenario: Scenario) throws(InputError) {
    func file(_ path: String) throws(InputError) -> File { try File(path, of: scenario) }
    self.scenario = scenario
    savesFile = try scenario.changes.saves.map(file)
    pairsFiles = try scenario.pairs.map { (pairs) throws(InputError) in try pairs.file.map(file) }
    guard scenario.generation == nil else { return }
    let data = scenario.data
    files = [
      Files(
        entity: scenario.entity, layout: data.layout, before: try file(data.before),
        after: try file(data.after))
    ]
    for other in scenario.others {
      files.append(
        Files(
          entity: other.entity, layout: other.layout, before: try file(other.before),
          after: try file(other.after)))
    }
  }

  /// The recorded saves with their file; nil if the rows decide the changes.
  func saves() throws(InputError) -> (file: String, saves: [RecordedSave])? {
    guard let file = savesFile else { return nil }
    return (
      file.path, try [RecordedSave](csv: file.bytes, file: file.path, isQuoted: file.isQuoted)
    )
  }

  /// The same rows, for a scenario whose other settings differ.
  init(_ scenario: Scenario, sharing source: DataSource) {
    self.scenario = scenario
    files = source.files
    savesFile = source.savesFile
    pairsFiles = source.pairsFiles
  }

  /// Of the rows before the changes; 0 if they are generated.
  var byteCount: Int { files.reduce(0) { $0 + $1.before.bytes.count } }

  /// The list's rows come first. If the scenario sets a number of rows, only the list's first keys
  /// are kept.
  func tables() throws(InputError) -> [TableRows] {
    var tables = try rows()
    try scenario.older?.adapt(&tables, of: scenario)
    return tables
  }

  private func rows() throws(InputError) -> [TableRows] {
    if let generation = scenario.generation { return try generation.tables(of: scenario) }
    var tables = try files.map { (file) throws(InputError) in
      TableRows(
        entity: file.entity, before: try file.before.rows(of: file.entity, file.layout),
        after: try file.after.rows(of: file.entity, file.layout))
    }
    if let count = scenario.data.rows {
      tables[0].keepFirst(count)
      TableRows.prune(&tables, by: scenario.changes.deletions)
    }
    for (table, file) in zip(tables, files) {
      for (rows, source, others) in [
        (table.before, file.before, tables.map(\.namedBefore)),
        (table.after, file.after, tables.map { $0.namedAfter(scenario.changes.deletions) }),
      ] {
        try table.check(rows, of: source.path, isQuoted: source.isQuoted, others)
      }
    }
    return tables
  }

  /// The pairs of each many-to-many relationship, by business keys.
  func pairs(_ tables: [TableRows]) throws(InputError) -> [[KeyPair]] {
    var all: [[KeyPair]] = []
    for (number, (pairs, file)) in zip(scenario.pairs, pairsFiles).enumerated() {
      guard let file else {
        all.append(
          pairs.made(tables, seed: scenario.generation?.seed ?? 1, number: number))
        continue
      }
      all.append(
        try pairs.read(
          file.bytes, file: file.path, isQuoted: file.isQuoted, tables,
          isCut: scenario.data.rows != nil))
    }
    return all
  }

  /// SHA-256 over everything that influences the work: the fields of the role `work`, ordered by
  /// path, and the content of all data files.
  ///
  /// Names, paths and the number of trials do not count. A field at its default is left out, so
  /// that adding a field keeps old digests valid. Changing a default therefore requires a new
  /// `version`.
  func digest() -> String {
    var hash = SHA256()
    hash.update(Array(Self.canonicalText(of: scenario.fields).utf8))
    var contents = files.enumerated().flatMap { index, file in
      let name = index == 0 ? "" : "\(file.entity.name) "
      return [("\(name)before", file.before), ("\(name)after", file.after)]
    }
    if let savesFile { contents.append(("saves", savesFile)) }
    for (pairs, file) in zip(scenario.pairs, pairsFiles) {
      if let file { contents.append(("\(pairs.relationship) pairs", file)) }
    }
    for (name, file) in contents {
      hash.update(Array("\(name) \(file.bytes.count)\n".utf8))
      hash.update(file.bytes)
    }
    // The text above has the fields of `generate`; with the generator's version they determine
    // rows.
    if let generation = scenario.generation {
      hash.update(Array("\(RowGenerator.version)\n".utf8))
      if generation.story != .rows || !scenario.others.isEmpty {
        hash.update(Array("\(Story.version)\n".utf8))
      }
    }
    return hash.finish()
  }

  private static let version = "topobench scenario 1"

  /// - Parameter fields: every field, in the order of ``ScenarioField/all``.
  static func canonicalText(of fields: [(path: String, value: ParameterValue)]) -> String {
    let lines = zip(ScenarioField.all, fields)
      .filter { field, given in
        field.role == .work && given.value.json != field.defaultValue?.json
      }
      .map { "\($1.path)=\($1.value.json)\n" }
    return "\(version)\n" + lines.sorted().joined()
  }
}
