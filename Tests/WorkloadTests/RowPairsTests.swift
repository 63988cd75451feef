import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// Pairs of many-to-many relationships, from a file or made from a seed.
@Suite struct RowPairsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func scenario(
    pairs: String, _ more: String = "", inverse: String = "", set: String...
  ) throws -> Scenario {
    let contacts = "id,name\n1,Ada\n2,Bob\n3,Cy\n"
    for (name, text) in [
      ("before.csv", contacts), ("after.csv", contacts.replacing("Cy", with: "Zoe")),
      ("groups.csv", "code\nG\nH\n"), ("pairs.csv", "contact,group\n1,G\n1,H\n3,G\n"),
      ("odd.csv", "contact,group\n1,G\n9,G\n"), ("one.csv", "contact\n1\n"),
      ("word.csv", "contact,group\nx,G\n"),
      ("twice.csv", "contact,group\n1,G\n1,G\n"),
    ] { try folder.write(name, text) }
    let text = """
      asks: Who is in which group?
      entity: { name: Contact, key: id, attributes: { id: int64, name: string } }
      others: { Group: { key: code, before: groups.csv, after: groups.csv } }
      model:
        Contact:
          relationships:
            groups: { to_many: Group, inverse: contacts, pairs: \(pairs) }
        Group:
          attributes: { code: string }
          relationships: { contacts: { to_many: Contact, inverse: groups\(inverse) } }
      data: { before: before.csv, after: after.csv }
      \(more)
      """
    let file = try folder.write("groups.yaml", text)
    return try #require(try Scenario.load(file: file, set: set).first)
  }

  private func keys(_ workload: Workload) -> [[Value]] {
    workload.pairs[0].map { [$0.mine, $0.theirs] }
  }

  @Test func `a file of pairs has a column of keys for each side`() throws {
    let workload = try Workload.make(scenario(pairs: "pairs.csv"), seed: 1)
    #expect(
      keys(workload) == [
        [.int64(1), .string("G")], [.int64(1), .string("H")], [.int64(3), .string("G")],
      ])
    let cut = try Workload.make(scenario(pairs: "odd.csv", set: "data.rows=3"), seed: 1)
    #expect(keys(cut) == [[.int64(1), .string("G")]])
  }

  @Test func `pairs that are made are the same each time, and at most as many as there are rows`()
    throws
  {
    let one = try Workload.make(scenario(pairs: "1"), seed: 1)
    let again = try Workload.make(scenario(pairs: "1"), seed: 2)
    #expect(keys(one).count == 3 && keys(one) == keys(again))
    let all = try Workload.make(scenario(pairs: "5"), seed: 1)
    #expect(Set(keys(all)).count == 6)
  }

  @Test func `the number of pairs and the file's content are part of the digest`() throws {
    let digests = try ["0", "1", "2", "pairs.csv"].map {
      try Workload.make(scenario(pairs: $0), seed: 1).digest
    }
    #expect(Set(digests).count == 4)
    let same = try scenario(pairs: "pairs.csv")
    try folder.write("pairs.csv", "contact,group\n2,G\n")
    #expect(try Workload.make(same, seed: 1).digest != digests[3])
  }

  @Test(arguments: [
    ("odd.csv", "odd.csv:3: Contact has no such row before the changes; remove the line"),
    ("one.csv", "one.csv:1: needs two columns, the keys of both rows"),
    ("word.csv", "word.csv:2: field 1 is no key of Contact"),
    ("twice.csv", "twice.csv:3: this pair occurs twice; remove the line"),
    ("none.csv", "groups.yaml:7: field 'model.Contact.relationships.groups': pairs: "),
  ])
  func `a bad file of pairs names its line`(pairs: String, message: String) throws {
    #expect {
      var check = WorkloadCheck()
      _ = try check.digest(of: scenario(pairs: pairs), seed: 1)
    } throws: {
      "\($0)".contains(message)
    }
  }

  @Test func `pairs belong to two relationships to many between entities with rows`() throws {
    #expect {
      try scenario(pairs: "1", "changes: { stream: replace }")
    } throws: {
      "\($0)".contains("changes.stream: replace makes all rows again, without pairs")
    }
    #expect {
      try scenario(pairs: "1", inverse: ", pairs: 1")
    } throws: {
      "\($0)".contains("Group.contacts has pairs, too; keep one side's")
    }
    #expect {
      _ = try Scenario.load(
        file: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/pairs-of-one.yaml")
    } throws: {
      "\($0)".contains("needs a relationship that is to-many on both sides")
    }
  }
}
