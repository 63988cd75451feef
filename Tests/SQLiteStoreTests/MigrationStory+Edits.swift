import ObjectGraph

extension MigrationStory {
  mutating func edit() {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: addEntity()
    case 1: removeEntity()
    case 2...3: addAttribute()
    case 4: removeAttribute()
    case 5...6: changeOptionality()
    case 7: moveAttributeUp()
    case 8: addRelationship()
    case 9: removeRelationship()
    case 10...11: widen()
    case 12: rename()
    default: sketch.entities.shuffle(using: &generator)
    }
  }

  mutating func addEntity() {
    let parent = chance(2) ? pick(sketch.entities)?.id : nil
    let id = newID()
    sketch.entities.append(.init(id: id, name: "E" + id, parent: parent, attributes: []))
    // Never removed, so that no entity is without columns.
    append(attributeTo: id, isOptional: true, .null)
  }

  private mutating func removeEntity() {
    let used = Set(
      sketch.entities.compactMap(\.parent)
        + sketch.relationships.flatMap { [$0.left.entity, $0.target] })
    guard sketch.entities.count > 2,
      let entity = pick(sketch.entities.filter { !used.contains($0.id) })
    else { return }
    for number in numbers(of: entity.id) {
      objects[number] = nil
      for id in links.keys {
        links[id] = links[id]?.filter { $0.left != number && $0.right != number }
      }
    }
    sketch.entities.removeAll { $0.id == entity.id }
  }

  // MARK: - Attributes

  private mutating func addAttribute() {
    guard let entity = pick(sketch.entities) else { return }
    append(attributeTo: entity.id, isOptional: chance(2), .int64(7))
  }

  private mutating func append(
    attributeTo entity: String, isOptional: Bool, _ defaultValue: Value
  ) {
    guard let index = sketch.entities.firstIndex(where: { $0.id == entity }) else { return }
    let attribute = ModelSketch.Attribute(
      id: newID(), name: freshName(in: entity), type: .int64, isOptional: isOptional,
      defaultValue: defaultValue)
    sketch.entities[index].attributes.append(attribute)
    for number in numbers(of: entity) { objects[number]?.values[attribute.id] = defaultValue }
  }

  private mutating func anAttribute(
    where fits: (ModelSketch.Entity, ModelSketch.Attribute) -> Bool
  ) -> (entity: Int, attribute: Int)? {
    let indexes = sketch.entities.indices.flatMap { entity in
      sketch.entities[entity].attributes.indices.dropFirst()
        .filter { fits(sketch.entities[entity], sketch.entities[entity].attributes[$0]) }
        .map { (entity, $0) }
    }
    return pick(indexes)
  }

  private mutating func removeAttribute() {
    guard let (entity, index) = anAttribute(where: { _, _ in true }) else { return }
    let attribute = sketch.entities[entity].attributes.remove(at: index)
    for number in objects.indices { objects[number]?.values[attribute.id] = nil }
  }

  private mutating func changeOptionality() {
    // A requirement between two openings has no effect.
    let changed = changedAttributes
    guard let (entity, index) = anAttribute(where: { !changed.contains($1.id) }) else { return }
    let attribute = sketch.entities[entity].attributes[index]
    changedAttributes.insert(attribute.id)
    sketch.entities[entity].attributes[index].isOptional.toggle()
    guard attribute.isOptional else { return }
    let value = attribute.defaultValue.isNull ? Value.int64(9) : attribute.defaultValue
    sketch.entities[entity].attributes[index].defaultValue = value
    for number in numbers(of: sketch.entities[entity].id)
    where objects[number]?.values[attribute.id]?.isNull == true {
      objects[number]?.values[attribute.id] = value
    }
  }

  private mutating func moveAttributeUp() {
    guard let (entity, index) = anAttribute(where: { entity, _ in entity.parent != nil }),
      let parent = sketch.entities.firstIndex(where: { $0.id == sketch.entities[entity].parent })
    else { return }
    // A sibling may use the name.
    var attribute = sketch.entities[entity].attributes.remove(at: index)
    attribute.name = freshName(in: sketch.entities[parent].id)
    sketch.entities[parent].attributes.append(attribute)
    for number in numbers(of: sketch.entities[parent].id)
    where objects[number]?.values[attribute.id] == nil {
      objects[number]?.values[attribute.id] = attribute.defaultValue
    }
  }

  // MARK: - Relationships

  mutating func addRelationship() {
    guard let left = pick(sketch.entities)?.id, let right = pick(sketch.entities)?.id else {
      return
    }
    var relationship = ModelSketch.Relationship(
      id: newID(), left: .init(entity: left, name: freshName(in: left), isToMany: false),
      right: nil, target: right)
    sketch.relationships.append(relationship)
    guard !chance(4) else { return }
    relationship.left.isToMany = chance(2)
    relationship.right = .init(entity: right, name: freshName(in: right), isToMany: chance(2))
    sketch.relationships[sketch.relationships.count - 1] = relationship
  }

  private mutating func removeRelationship() {
    guard let index = pick(Array(sketch.relationships.indices)) else { return }
    links[sketch.relationships.remove(at: index).id] = nil
  }

  /// The side may be new.
  private mutating func widen() {
    guard let index = pick(Array(sketch.relationships.indices)) else { return }
    let relationship = sketch.relationships[index]
    if relationship.right == nil {
      let name = freshName(in: relationship.target)
      sketch.relationships[index].right = .init(
        entity: relationship.target, name: name, isToMany: true)
    } else if chance(2) {
      sketch.relationships[index].left.isToMany = true
    } else {
      sketch.relationships[index].right?.isToMany = true
    }
  }

  private mutating func rename() {
    for index in sketch.entities.indices {
      if chance(2) { sketch.entities[index].name = "E" + newID() }
      for attribute in sketch.entities[index].attributes.indices where chance(2) {
        let name = freshName(in: sketch.entities[index].id)
        sketch.entities[index].attributes[attribute].name = name
      }
    }
    for index in sketch.relationships.indices where chance(2) {
      let name = freshName(in: sketch.relationships[index].left.entity)
      sketch.relationships[index].left.name = name
      if sketch.relationships[index].right != nil {
        let name = freshName(in: sketch.relationships[index].target)
        sketch.relationships[index].right?.name = name
      }
    }
  }
}
