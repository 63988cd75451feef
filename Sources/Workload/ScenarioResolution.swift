import DataModel
import Support

/// Checks fields together, after each was checked by itself, and makes the scenario.
extension Scenario {
  init(_ fields: ResolvedFields) throws(ScenarioError) {
    let entities = try RowEntities(try Self.entity(fields), fields).all
    let entity = entities[0]
    let stream: ChangeStream = fields.choice("changes.stream")
    let order = try Self.order(fields, entity)
    name = try Self.name(fields)
    asks = fields.text("asks")
    self.entity = entity
    model = try fields.model.completed(with: entities)
    let generation = try Generation(fields, entity)
    self.generation = generation
    let readsFiles = generation == nil
    others = try Self.others(fields, entities)
    try Self.checkConstraints(entities, model, fields)
    data = Data(
      before: readsFiles ? try Self.dataFile("data.before", fields) : "",
      after: readsFiles ? try Self.dataFile("data.after", fields) : "",
      rows: fields.integer("data.rows"))
    changes = try Self.changes(fields, stream)
    find = fields.choice("worker.find")
    storage = fields.choice("storage")
    realised = fields.choice("main.realised")
    realisedShare = fields.number("main.realised_percent") / 100
    list = try Self.list(fields, order)
    drawing = Self.drawing(fields)
    user = try Self.user(fields, entity, order, stream)
    horizon = .milliseconds(fields.number("horizon_ms"))
    repeatFor = .milliseconds(fields.number("repeat_for_ms"))
    trials = fields.integer("trials")
    file = fields.file
    self.fields = ScenarioField.all.map { (path: $0.path, value: fields[$0.path]) }
    parameters = fields.parameters
  }

  /// The name, which goes into file names and every result row, so it must be the file's own.
  private static func name(_ fields: ResolvedFields) throws(ScenarioError) -> String {
    let name = fields.text("name")
    let isPlain = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || [0x2D, 0x5F].contains($0)
    }
    guard isPlain else {
      throw fields.error("name", "'\(name)' may hold letters, digits, '-' and '_' only")
    }
    let expected = ScenarioLibrary.name(ofFile: fields.file)
    guard name == expected else {
      throw fields.error("name", "'\(name)' must be the file's name without .yaml: '\(expected)'")
    }
    return name
  }

  private static func entity(_ fields: ResolvedFields) throws(ScenarioError) -> RowDescription {
    guard case .mapping(let pairs) = fields["entity.attributes"] else {
      preconditionFailure("'entity.attributes' is no mapping")
    }
    let attributes = pairs.compactMap { pair -> AttributeDescription? in
      guard case .text(let type) = pair.value else { return nil }
      return AttributeDescription(name: pair.name, typeName: type)
    }
    let name = fields.text("entity.name")
    guard AttributeDescription.isName(name) else {
      throw fields.error("entity.name", "'\(name)' is not a name; use letters, digits and '_' only")
    }
    let keyIndex = try attributeIndex(fields.text("entity.key"), "entity.key", attributes, fields)
    let key = attributes[keyIndex]
    guard key.canBeKey else {
      throw fields.error(
        "entity.key", "'\(key.name)' is \(key.typeName); a key must be int64 or string")
    }
    return RowDescription(name: name, attributes: attributes, keyIndex: keyIndex)
  }

  private static func checkConstraints(
    _ entities: [RowDescription], _ model: ScenarioModel, _ fields: ResolvedFields
  ) throws(ScenarioError) {
    guard fields.text("worker.find") == Lookup.constraint.rawValue,
      fields.text("changes.stream") == ChangeStream.arrivals.rawValue
    else { return }
    for entity in entities
    where model.entity(named: entity.name)?.uniquenessConstraints.contains([entity.key.name])
      != true
    {
      throw fields.error(
        "worker.find",
        "'constraint' needs `unique: [\(entity.key.name)]` in model.\(entity.name)")
    }
  }

  private static func order(
    _ fields: ResolvedFields, _ entity: RowDescription
  ) throws(ScenarioError) -> ListOrder {
    var terms: [ListOrder.Term] = []
    for text in fields.texts("list.sort") {
      let isDescending = text.hasPrefix("-")
      let name = isDescending ? String(text.dropFirst()) : text
      let index = try attributeIndex(name, "list.sort", entity.attributes, fields)
      guard !terms.contains(where: { $0.attribute == index }) else {
        throw fields.error("list.sort", "'\(name)' occurs twice")
      }
      terms.append(.init(attribute: index, isDescending: isDescending))
    }
    return ListOrder(terms, keyIndex: entity.keyIndex)
  }

  private static func list(
    _ fields: ResolvedFields, _ order: ListOrder
  ) throws(ScenarioError) -> List {
    let list = List(
      order: order, visibleRows: fields.integer("list.visible_rows") ?? 0,
      scrollRowsPerSecond: fields.number("list.scroll_rows_per_s"),
      frameRate: fields.number("list.frame_rate_hz"))
    guard list.visibleRows > 0 || list.scrollRowsPerSecond == 0 else {
      throw fields.error(
        "list.scroll_rows_per_s", "a list without visible rows cannot scroll; set list.visible_rows"
      )
    }
    return list
  }

  private static func drawing(_ fields: ResolvedFields) -> Drawing {
    Drawing(
      delta: .microseconds(fields.number("drawing.delta_us")),
      cell: .microseconds(fields.number("drawing.cell_us")),
      reload: .microseconds(fields.number("drawing.reload_us")),
      frame: .microseconds(fields.number("drawing.frame_us")),
      snapshotItem: .microseconds(fields.number("drawing.snapshot_item_us")))
  }

  private static func changes(
    _ fields: ResolvedFields, _ stream: ChangeStream
  ) throws(ScenarioError) -> Changes {
    var changes = Changes(
      stream: stream, perSave: fields.integer("changes.per_save"),
      burst: fields.integer("changes.burst"),
      burstInterval: .milliseconds(fields.number("changes.burst_every_ms")))
    changes.bySecondWorker = fields.integer("changes.second_worker") ?? 0
    changes.references = fields.choice("changes.references")
    changes.arriveAsJSON = fields.text("changes.format") == ArrivalFormat.json.rawValue
    let deleteWhere = fields.text("changes.delete_where")
    changes.deleteWhere = deleteWhere == "none" ? nil : deleteWhere
    let hasConstraint = fields.text("worker.find") == Lookup.constraint.rawValue
    for (path, isAsked) in [
      ("worker.find", hasConstraint),
      ("changes.format", changes.arriveAsJSON),
      ("changes.delete_where", changes.deleteWhere != nil),
    ] where isAsked && stream != .arrivals {
      throw fields.error(path, "'\(fields.text(path))' is for changes.stream arrivals")
    }
    guard (changes.burst == nil) == (changes.burstInterval == .zero) else {
      throw fields.error(
        "changes.burst_every_ms", "goes with changes.burst: give both, or neither of them")
    }
    return changes
  }

  private static func user(
    _ fields: ResolvedFields, _ entity: RowDescription, _ order: ListOrder, _ stream: ChangeStream
  ) throws(ScenarioError) -> User {
    let user = User(
      fetchesPerSecond: fields.number("user.fetches_per_s"),
      editsPerSecond: fields.number("user.edits_per_s"),
      editedRows: fields.choice("user.edited_rows"),
      editedAttribute: try editedAttribute(fields, entity, order))
    try checkEditing("user.edits_per_s", user.editsPerSecond, user, fields, entity, stream)
    let bySecondWorker = fields.number("changes.second_worker")
    try checkEditing("changes.second_worker", bySecondWorker, user, fields, entity, stream)
    guard user.editsPerSecond == 0 || bySecondWorker == 0 else {
      throw fields.error(
        "changes.second_worker",
        "must be 0 with user.edits_per_s: both would change the same attribute of the same rows")
    }
    return user
  }

  /// - Parameter amount: the value of the field at `path`. If it is 0, nothing is checked.
  private static func checkEditing(
    _ path: String, _ amount: Double, _ user: User, _ fields: ResolvedFields,
    _ entity: RowDescription,
    _ stream: ChangeStream
  ) throws(ScenarioError) {
    guard amount > 0 else { return }
    guard stream == .incremental else {
      throw fields.error(
        path,
        "must be 0 with changes.stream \(stream.rawValue): the worker touches every row, and edits leave its rows alone"
      )
    }
    guard user.editedAttribute != entity.keyIndex else {
      throw fields.error(path, "\(entity.name) has nothing to edit but its key")
    }
  }

  private static func editedAttribute(
    _ fields: ResolvedFields, _ entity: RowDescription, _ order: ListOrder
  ) throws(ScenarioError) -> Int {
    let name = fields.text("user.edited")
    if name == "auto" {
      let sorted = order.terms.map(\.attribute)
      let others = entity.attributes.indices.filter { $0 != entity.keyIndex }
      return others.last { !sorted.contains($0) } ?? others.last ?? entity.keyIndex
    }
    let index = try attributeIndex(name, "user.edited", entity.attributes, fields)
    guard index != entity.keyIndex else {
      throw fields.error("user.edited", "'\(name)' is the key, which never changes")
    }
    return index
  }

  private static func attributeIndex(
    _ name: String, _ path: String, _ attributes: [AttributeDescription], _ fields: ResolvedFields
  ) throws(ScenarioError) -> Int {
    if let index = attributes.firstIndex(where: { $0.name == name }) { return index }
    let known = attributes.map(\.name)
    let hint = NearestName.hint(for: name, in: known)
    throw fields.error(
      path, "unknown attribute '\(name)'.\(hint) Known: \(known.joined(separator: ", "))")
  }

  private static func dataFile(
    _ path: String, _ fields: ResolvedFields
  ) throws(ScenarioError) -> String {
    let text = fields.text(path)
    guard !text.isEmpty else {
      throw fields.error(path, "is missing; name a file, or say by generate.rows how many to make")
    }
    let file = FileContent.path(text, relativeTo: fields.file)
    if let problem = FileContent.problemReading(file) {
      throw fields.error(path, "\(problem): \(file); the path is relative to the scenario file")
    }
    return file
  }
}
