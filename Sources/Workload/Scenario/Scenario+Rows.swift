import Support

extension Scenario {
  static let rowFields = [
    ScenarioField("entity.name", .text, "The name of the rows' entity."),
    ScenarioField(
      "entity.key", .text,
      "The attribute by which rows are known: `int64`, `string` or `uuid`, not optional."),
    ScenarioField(
      "entity.attributes", .attributes,
      "One per column: `int64`, `double`, `decimal`, `bool`, `string`, `date`, `data`, `uuid` or `uri`; with `?` it may be null."
    ),
    ScenarioField(
      "entity.references", .names, default: .list([]),
      "Its to-one relationships that are columns too: each holds the business key of a row, or nothing."
    ),
    ScenarioField(
      "others", .others, default: .mapping([]),
      "The other entities that have rows; their attributes are those of `model`."),
    ScenarioField(
      "model", .model, default: .mapping([]),
      "The store's other entities, and what the rows' entity has besides its columns."),
    ScenarioField(
      "data.before", .path, unless: "generate.rows", role: .identity,
      "The rows the store holds when the window opens."),
    ScenarioField(
      "data.after", .path, unless: "generate.rows", role: .identity,
      "The rows it must hold in the end."),
    ScenarioField(
      "data.format", .choice(of: DataFormat.self), default: .text("auto"),
      DataLayout.formatMeaning),
    ScenarioField("data.columns", .columns, default: .mapping([]), DataLayout.columnsMeaning),
    ScenarioField(
      "data.ignore", .headers, default: .list([]), role: .identity, DataLayout.ignoreMeaning),
    ScenarioField(
      "data.rows", .integer(1...10_000_000, orWord: "all"), default: .text("all"), unit: "keys",
      "How many keys of the two files together take part, from the smallest on; `all`, or a size for a smoke run."
    ),
  ]

  /// They existed when the scenario was loaded. Unused if rows are generated.
  package struct DataFiles: Sendable, Equatable {
    package let before: String
    package let after: String
    /// Keys that take part; nil for all.
    package let rows: Int?
    let layout: DataLayout

    init(_ values: FieldValues, _ entity: RowDescription) throws(InputError) {
      let isGenerated = values.integer("generate.rows") != nil
      before = isGenerated ? "" : try Self.file("data.before", values)
      after = isGenerated ? "" : try Self.file("data.after", values)
      rows = values.integer("data.rows")
      layout = DataLayout(
        format: values.choice("data.format"), columns: values.mapping("data.columns"),
        ignored: Set(values.texts("data.ignore")))
      try layout.check(entity) { values.error("data.\($0)", $1) }
    }

    private static func file(_ path: String, _ values: FieldValues) throws(InputError) -> String {
      let name = values.text(path)
      guard !name.isEmpty else {
        throw values.error(
          path, "is missing; name a file, or say by generate.rows how many to make")
      }
      return try values.existingFile(name) { values.error(path, $0) }
    }
  }

  package struct OtherRows: Sendable, Equatable {
    package let entity: RowDescription
    package let before: String
    package let after: String
    let layout: DataLayout
    /// Nil if the rows come from files.
    package var generation: Generation?
  }

  static func others(
    _ values: FieldValues, _ entities: [RowDescription]
  ) throws(InputError) -> [OtherRows] {
    let isGenerated = values.integer("generate.rows") != nil
    return try zip(values.others, entities.dropFirst()).map {
      (description, entity) throws(InputError) in
      try description.layout.check(entity) { description.error($0, $1) }
      return OtherRows(
        entity: entity, before: isGenerated ? "" : try file("before", description, values),
        after: isGenerated ? "" : try file("after", description, values),
        layout: description.layout,
        generation: isGenerated ? try Generation(description, of: entity, values) : nil)
    }
  }

  private static func file(
    _ key: String, _ description: OtherRowsDescription, _ values: FieldValues
  ) throws(InputError) -> String {
    try values.existingFile(try description.path(key)) { description.error(key, $0) }
  }
}
