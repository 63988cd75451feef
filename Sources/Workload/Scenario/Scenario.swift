package import DataModel
package import Support

package enum StorageKind: String, CaseIterable, Sendable {
  case local
  /// A disk as slow as a phone's flash.
  case phone
}

/// A part of a screen's life, which is measured by itself.
package enum ScreenPhase: String, CaseIterable, Sendable {
  /// From before the store is opened to the first frame with rows.
  case open
  /// Changes arrive.
  case change
  /// The user scrolls through the whole list afterwards.
  case scroll
}

/// A decoded and validated scenario without a sweep.
///
/// `Scenarios/README.md` explains every field; ``ScenarioField/all`` is its source.
package struct Scenario: Sendable {
  package let name: String
  package let asks: String
  /// The phase whose figures rank the topologies.
  package let asksAbout: ScreenPhase
  package let entity: RowDescription
  package let model: ScenarioModel
  /// Nil without `store.changes_since`.
  package let older: OlderVersion?
  package let data: DataFiles
  /// Nil if the rows come from files.
  package private(set) var generation: Generation?
  package private(set) var others: [OtherRows]
  /// Of many-to-many relationships.
  package let pairs: [RowPairs]
  package let changes: Changes
  package let find: Lookup
  package let storage: StorageKind
  package let store: Store
  package let costs: Costs
  package let realised: Realisation
  /// From 0 to 1; read before the window opens.
  package let realisedShare: Double
  package let list: List
  package let drawing: Drawing
  package let user: User
  package let horizon: Duration
  /// The least total time of the windows. There is at least one window.
  package let repeatFor: Duration
  /// Nil for as many processes per topology and store mode as a verdict needs.
  package let trials: Int?
  package let file: String
  /// By path of a field.
  private let origins: [String: InputError.Origin]

  /// In the documentation's order.
  package let fields: [(path: String, value: ParameterValue)]
  /// Set by `--set`, `smoke` or a sweep, by path.
  package let parameters: [ParameterValue.Pair]

  static let identityFields = [
    ScenarioField(
      "name", .text, default: .text("auto"), role: .identity,
      "The scenario's name: that of its file, without `.yaml`."),
    ScenarioField("asks", .text, role: .identity, "The scenario's question, in one sentence."),
    ScenarioField(
      "asks_about", .choice(of: ScreenPhase.self), default: .text("change"), role: .question,
      "The phase of the screen that the answer ranks. Every cell measures all three: the list is opened, changes arrive, and the user scrolls through the list. `repeat_for_ms` counts this phase."
    ),
  ]

  static let storageFields = [
    ScenarioField(
      "storage", .choice(of: StorageKind.self), default: .text("local"),
      "`local`: this machine's disk; `phone`: a disk whose syncs and writes take as long as a phone's flash."
    )
  ]

  static let measurementFields = [
    ScenarioField(
      "horizon_ms", .number(1...3_600_000), default: .integer(1000), unit: "ms",
      "The span, from the window's opening, over which rates and tap percentiles are taken."),
    ScenarioField(
      "repeat_for_ms", .number(0...600_000), default: .integer(1000), unit: "ms",
      "Windows are repeated, on fresh copies of the store, until they add up to this; there is at least one."
    ),
    ScenarioField(
      "trials", .integer(1...1000, orWord: "auto"), default: .text("auto"), role: .sampling,
      unit: "processes",
      "Processes per topology and store mode; `auto`: enough to rank the topologies of the run, at least 6."
    ),
    ScenarioField(
      "sweep", .choice(of: Sweep.self), default: .text("every"), role: .identity,
      "How lists of values in several fields go together: `every` combination; `one-at-a-time`: each field's in turn, the others at their first."
    ),
    ScenarioField(
      "smoke", .settings, default: .mapping([]), role: .identity,
      "What `--smoke` sets over the other fields: a size for tests that still does every kind of work."
    ),
  ]

  init(_ values: FieldValues) throws(InputError) {
    let entities = try RowEntities(values).all
    entity = entities[0]
    var model = try values.model.completed(with: entities)
    older = try OlderVersion(values, &model, entities)
    self.model = model
    name = try Self.name(values)
    asks = values.text("asks")
    asksAbout = values.choice("asks_about")
    generation = try Generation(values, entity)
    others = try Self.others(values, entities)
    pairs = try Self.pairs(values, entities)
    data = try DataFiles(values, entity)
    if generation == nil { try Generation.checkIsNotAsked(by: values) }
    changes = try Changes(values)
    find = values.choice("worker.find")
    storage = values.choice("storage")
    store = try Store(values)
    costs = Costs(values)
    realised = values.choice("main.realised")
    realisedShare = values.number("main.realised_percent") / 100
    list = try List(values, entity)
    drawing = Drawing(values)
    user = try User(values, entity, list.order)
    horizon = .milliseconds(values.number("horizon_ms"))
    repeatFor = .milliseconds(values.number("repeat_for_ms"))
    trials = values.integer("trials")
    file = values.file
    origins = values.origins
    fields = values.all
    parameters = values.parameters.sorted { $0.name < $1.name }
    try checkConstraints(values)
    try checkRules(values)
  }

  /// The name goes into file names and every result row, so it must be the file's own.
  private static func name(_ values: FieldValues) throws(InputError) -> String {
    let name = values.text("name")
    let expected = FileContent.scenarioName(values.file)
    guard name == expected else {
      throw values.error(
        "name",
        "\(name.quoted) must be the file's name without .yaml: \(expected.quoted); or leave it out")
    }
    guard isName(name) else {
      throw values.error(
        "name",
        "\(name.quoted) may hold letters, digits, '-' and '_' only; rename the scenario file")
    }
    return name
  }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
          || [0x2D, 0x5F].contains($0)
      }
  }

  /// Without a lookup, a uniqueness constraint must find the rows.
  private func checkConstraints(_ values: FieldValues) throws(InputError) {
    guard find == .constraint else { return }
    for rows in entities {
      let constraints = model.entity(named: rows.name)?.uniquenessConstraints ?? []
      guard constraints.contains([rows.key.name]) else {
        throw values.error(
          "worker.find", "'constraint' needs `unique: [\(rows.key.name)]` in model.\(rows.name)")
      }
    }
  }

  /// An error at the first of the fields that `--set` gave, or else at the first one's line.
  package func error(_ fields: String..., message: String) -> InputError {
    let places = fields.map { origins.nearest(to: $0) ?? .file(file, line: nil) }
    let index = places.firstIndex { if case .flag = $0 { true } else { false } } ?? 0
    return InputError(places[index], field: fields[index], message)
  }

  /// The list's comes first.
  package var entities: [RowDescription] { [entity] + others.map(\.entity) }

  /// Whether some generated values have a size of their own.
  package var hasSizedValues: Bool { entities.contains { !$0.sizes.isEmpty } }

  /// The scenario's order, or by key in a list of another entity.
  package func order(ofTable index: Int) -> ListOrder {
    index == 0 ? list.order : ListOrder([], keyIndex: entities[index].keyIndex)
  }

  func limited(toRows most: Int) -> Scenario {
    var limited = self
    limited.generation = generation?.limited(to: most)
    for index in others.indices {
      limited.others[index].generation = others[index].generation?.limited(to: most)
    }
    return limited
  }

  /// With sorted keys; empty if there are none.
  package var parametersJSON: String {
    parameters.isEmpty ? "" : ParameterValue.mapping(parameters).json
  }

  /// The values of `--set` that make this scenario from its file.
  package var overrides: [String] {
    parameters.map { parameter in
      // A path is not read as YAML.
      if case .path? = ScenarioField.named(parameter.name)?.kind,
        case .text(let path) = parameter.value
      {
        return "\(parameter.name)=\(path)"
      }
      return "\(parameter.name)=\(parameter.value.asOverride)"
    }
  }
}
