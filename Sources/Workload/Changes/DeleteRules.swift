import DataModel
import Support

// A deletion also deletes or changes other rows, by the model's delete rules. The functions know
// rows and model only, so that they check the object graph, the batch requests and the peers:
//
//   Shelf ──▶ Account   the inverse's rule is cascade: a shelf goes with its account
//   Note  ──▶ Shelf     the inverse's rule is nullify: a note stays, and belongs to no shelf
//   Note  ──▶ Cover     the relationship's own rule is cascade: a cover goes with its note

package enum DeletionKind: String, CaseIterable, Sendable {
  /// Every row that goes is deleted by a change of its own.
  case explicit
  /// Only owners are deleted by changes. The model's rules do the rest.
  case byRule = "by-rule"
  /// As `byRule`, but no rule runs: rows that a rule would delete stay.
  case withoutRules = "without-rules"
}

/// The rules of the references and pairs between a scenario's rows.
struct DeleteRules: Sendable {
  struct Reference: Sendable {
    /// The index of the referring entity, and the column of its rows.
    let table: Int
    let column: Int
    let destination: Int
    /// Whether the referring row goes with the row that it refers to. If not, it refers to nothing.
    let isOwned: Bool
    /// Whether the row that it refers to goes with the referring row.
    let owns: Bool
  }

  struct Pairs: Sendable {
    let table: Int
    let destination: Int
    /// Whether the rows at the other end go with a row of `table`, and with one of `destination`.
    let owns: Bool
    let isOwned: Bool
  }

  let references: [Reference]
  let pairs: [Pairs]

  /// Whether a row may take others with it to which it refers, or with which it makes pairs.
  var reachesFromHolders: Bool {
    references.contains(where: \.owns) || pairs.contains { $0.owns || $0.isOwned }
  }

  /// Whether a deletion in one of these tables may delete or change other rows.
  func reachOtherRows(from tables: [Int]) -> Bool {
    let reachByReference = references.contains { rule in
      tables.contains(rule.destination) || (rule.owns && tables.contains(rule.table))
    }
    let reachByPair = pairs.contains { rule in
      (rule.owns && tables.contains(rule.table))
        || (rule.isOwned && tables.contains(rule.destination))
    }
    return reachByReference || reachByPair
  }

  /// The rules without cascades.
  var clearing: DeleteRules {
    DeleteRules(
      references: references.map {
        Reference(
          table: $0.table, column: $0.column, destination: $0.destination, isOwned: false,
          owns: false)
      },
      pairs: pairs.map {
        Pairs(table: $0.table, destination: $0.destination, owns: false, isOwned: false)
      })
  }
}

extension DeleteRules {
  init(_ scenario: Scenario) {
    let entities = scenario.entities
    let model = scenario.model
    func isCascade(_ name: String?, of entity: String) -> Bool {
      name.flatMap { model.relationship(named: $0, of: entity) }?.deleteRule == .cascade
    }
    var references: [Reference] = []
    for (table, entity) in entities.enumerated() {
      for (index, reference) in entity.references.enumerated() {
        guard let destination = entities.firstIndex(where: { $0.name == reference.destination })
        else { continue }
        let name = reference.column.name
        let inverse = model.relationship(named: name, of: entity.name)?.inverse
        references.append(
          Reference(
            table: table, column: entity.attributes.count + index, destination: destination,
            isOwned: isCascade(inverse, of: reference.destination),
            owns: isCascade(name, of: entity.name)))
      }
    }
    let pairs = scenario.pairs.map { pairs in
      Pairs(
        table: pairs.table, destination: pairs.destination,
        owns: isCascade(pairs.relationship, of: entities[pairs.table].name),
        isOwned: isCascade(pairs.inverse, of: entities[pairs.destination].name))
    }
    self.init(references: references, pairs: pairs)
  }
}

extension Scenario {
  /// Nil if the stream deletes each row by itself.
  var deleteRules: DeleteRules? {
    switch changes.deletions {
    case .explicit: nil
    case .byRule: DeleteRules(self)
    case .withoutRules: DeleteRules(self).clearing
    }
  }

  /// With `by-rule`, each rule must have one outcome that a save accepts.
  func checkRules(_ values: FieldValues) throws(InputError) {
    guard changes.deletions == .byRule, let (path, problem) = ruleProblem else { return }
    throw model.error(
      at: path,
      "\(problem); \(values["changes.deletions"].asOverride.quoted) of changes.deletions"
        + " deletes rows by rules")
  }

  /// The first relationship whose rule `by-rule` refuses. Nil if there is none.
  var ruleProblem: (path: String, problem: String)? {
    for entity in entities {
      for relationship in model.relationships(of: entity.name) {
        guard entities.contains(where: { $0.name == relationship.destination }) else { continue }
        if let problem = problem(of: relationship) {
          return ("model.\(entity.name).relationships.\(relationship.name)", problem)
        }
      }
    }
    return nil
  }

  private func problem(of relationship: RelationshipDescription) -> String? {
    guard let name = relationship.inverse,
      let inverse = model.relationship(named: name, of: relationship.destination)
    else { return "has no inverse, so it would lead to a row that is gone. Give it one" }
    return switch relationship.deleteRule {
    case .deny: "its rule deny would end a stream. Choose another rule"
    case .noAction:
      "its rule no-action leaves references to a row that is gone. Choose another rule"
    case .nullify where !inverse.isToMany && !inverse.canBeEmpty:
      "its rule nullify would empty \(relationship.destination).\(name), which is required."
        + " Choose cascade"
    case .nullify, .cascade: nil
    }
  }
}
