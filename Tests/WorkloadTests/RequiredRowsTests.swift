import Support
import Testing

@testable import Workload

/// Generated rows that must refer to rows of another entity.
struct RequiredRowsTests {
  /// Two owners have pets, which have toys. Every pet needs an owner, and every toy a pet.
  ///
  /// - Parameters:
  ///   - deletes: how many owners go.
  ///   - pets: the counts of the pets.
  ///   - rule: of a pet's toys.
  private func workload(
    _ deletes: Int, _ pets: String, _ rule: String, set: [String] = []
  ) throws -> Workload {
    let yaml = """
      asks: Whose toys are they?
      entity: { name: Owner, key: id, attributes: { id: int64 } }
      others:
        Pet: { key: code, references: [owner], \(pets) }
        Toy: { key: code, references: [pet], rows: 4 }
      model:
        Owner:
          relationships: { pets: { to_many: Pet, inverse: owner, delete_rule: cascade } }
        Pet:
          attributes: { code: string }
          relationships:
            owner: { to_one: Owner, inverse: pets, optional: false }
            toys: { to_many: Toy, inverse: pet, delete_rule: \(rule) }
        Toy:
          attributes: { code: string }
          relationships: { pet: { to_one: Pet, inverse: toys, optional: false } }
      generate: { rows: 2, deletes: \(deletes) }
      """
    let scenario = try #require(
      try Scenario.decode(yaml: yaml, file: "toys.yaml", set: set).first)
    return try Workload.make(scenario, seed: 1)
  }

  @Test(arguments: [
    // All owners go, and the list shows owners.
    (
      2, "rows: 4", "cascade",
      "17: field 'generate.rows': rows of Pet need rows of Owner that stay; add some, or set"
        + " changes.deletions: by-rule"
    ),
    // All pets go.
    (
      1, "rows: 4, deletes: 4", "cascade",
      "3: field 'others.Pet': rows of Toy need rows of Pet that stay; add some, or set"
        + " changes.deletions: by-rule"
    ),
    // The rule would only empty the reference, which is required.
    (
      1, "rows: 4, deletes: 4", "nullify",
      "3: field 'others.Pet': rows of Toy need rows of Pet that stay; add some"
    ),
    // There is no pet for a rule to begin at.
    (
      1, "rows: 0", "cascade",
      "3: field 'others.Pet': rows of Toy need rows of Pet that stay; add some"
    ),
  ])
  func `rows without the rows that they need name the field that adds some`(
    deletes: Int, pets: String, rule: String, message: String
  ) {
    let error = #expect(throws: InputError.self) { try workload(deletes, pets, rule) }
    #expect(error?.description == "toys.yaml:\(message)")
  }

  @Test func `by rule, rows go with those that they need`() throws {
    let workload = try workload(2, "rows: 4", "cascade", set: ["changes.deletions=by-rule"])
    #expect(workload.counts == ChangeCounts(deletes: 2 + 4 + 4))
  }
}
