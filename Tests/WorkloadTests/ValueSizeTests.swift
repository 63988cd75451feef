import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// The `bytes` and `words` of generated values.
@Suite struct ValueSizeTests {
  private static let yaml = """
    name: notes
    asks: What do large values cost?
    entity:
      name: Note
      key: number
      attributes: { number: int64, image: data, thumbnail: data, text: string, title: string? }
    others: { Page: { key: code, rows: 4 } }
    model:
      Sheet:
        abstract: true
        attributes: { scan: { type: data?, bytes: 13 } }
      Note:
        attributes:
          image: { type: data, bytes: 1001 }
          text: { type: string, words: 40 }
      Page:
        parent: Sheet
        attributes: { code: string }
    generate: { rows: 40, inserts: 4, updates: 8 }
    """

  private func scenario(_ old: String = "name: notes", _ new: String = "name: notes") throws
    -> Scenario
  {
    #expect(Self.yaml.contains(old))
    let yaml = Self.yaml.replacing(old, with: new)
    return try #require(try Scenario.decode(yaml: yaml, file: "notes.yaml", set: []).first)
  }

  private func tables(_ old: String = "name: notes", _ new: String = "name: notes") throws
    -> [TableRows]
  {
    try Workload.make(scenario(old, new), seed: 1).tables
  }

  private func bytes(_ value: Value) -> Int? {
    if case .data(let data) = value { data.count } else { nil }
  }

  private func words(_ value: Value) -> Int? {
    if case .string(let text) = value { text.split(separator: " ").count } else { nil }
  }

  @Test func `generated values have the size that the model gives, and others their own`() throws {
    let rows = try tables()[0].before.rows
    #expect(rows.count == 40)
    for row in rows {
      #expect(bytes(row[1]) == 1001 && (16...64).contains(bytes(row[2]) ?? 0))
      #expect(words(row[3]) == 40 && [2, nil].contains(words(row[4])))
    }
    #expect(Set(rows.map { $0[1] }).count == 40 && Set(rows.map { $0[3] }).count == 40)
  }

  @Test func `the last bytes of a value are drawn, too`() throws {
    let images = try tables()[0].before.rows.compactMap { row -> Data? in
      if case .data(let data) = row[1] { data } else { nil }
    }
    for place in [0, 7, 8, 999, 1000] {
      #expect(Set(images.map { $0[place] }).count > 20, "byte \(place)")
    }
  }

  @Test func `a size counts for the rows of a subentity`() throws {
    let scans = try tables()[1].before.rows.map { $0[0] }
    #expect(scans.count == 4 && scans.allSatisfy { [13, nil].contains(bytes($0)) })
    #expect(scans.contains { bytes($0) == 13 })
  }

  @Test func `changed and new rows have it, too`() throws {
    let table = try tables()[0]
    let images = table.after.rows.map { bytes($0[1]) }
    #expect(images.count == 44 && images.allSatisfy { $0 == 1001 })
    #expect(
      table.after.rows.contains { row in table.before[row[0]].map { $0[1] != row[1] } ?? false })
  }

  @Test func `a seed makes the same values, and fewer rows are the first of more`() throws {
    let rows = try tables()[0].before.rows
    #expect(try tables()[0].before.rows == rows)
    #expect(try Array(tables("rows: 40", "rows: 80")[0].before.rows.prefix(40)) == rows)
    #expect(try tables("rows: 40", "seed: 2, rows: 40")[0].before.rows != rows)
  }

  @Test func `sizes are part of the digest`() throws {
    let digests = try [("words: 40", "words: 40"), ("words: 40", "words: 41"), ("1001", "1002")]
      .map { try Workload.make(scenario($0.0, $0.1), seed: 1).digest }
    #expect(Set(digests).count == 3)
  }

  @Test(arguments: [
    (
      "bytes: 1001", "words: 9",
      "notes.yaml:14: field 'model.Note.attributes.image.words': is for string, not data"
    ),
    (
      "words: 40", "bytes: 4",
      "notes.yaml:15: field 'model.Note.attributes.text.bytes': is for data, not string"
    ),
    (
      "bytes: 1001", "bytes: 0",
      "notes.yaml:14: field 'model.Note.attributes.image.bytes': 0 is out of bounds; must be a whole number from 1 to 10000000"
    ),
    (
      "words: 40", "words: 40, maximum_length: 5",
      "notes.yaml:15: field 'model.Note.attributes.text.words': must be left out beside maximum_length, which generated values do not follow"
    ),
    (
      "code: string", "code: { type: string, words: 3 }",
      "notes.yaml:18: field 'model.Page.attributes.code.words': is not for a key; remove it"
    ),
    (
      "text: { type: string, words: 40 }", "mood: { type: string?, transient: true, words: 4 }",
      "notes.yaml:15: field 'model.Note.attributes.mood.words': has no effect: no row holds this attribute; remove it"
    ),
    (
      "rows: 40,", "rows: 40, story: hospital,",
      "notes.yaml:11: field 'model.Sheet.attributes.scan.bytes': must be left out: generate.story decides the values"
    ),
    (
      "generate: { rows: 40, inserts: 4, updates: 8 }", "data: { before: a.csv, after: b.csv }",
      "notes.yaml:11: field 'model.Sheet.attributes.scan.bytes': needs generate.rows; the rows come from data files"
    ),
  ])
  func `a size without a generated value is refused at its line`(
    old: String, new: String, message: String
  ) throws {
    let error = #expect(throws: InputError.self) { try scenario(old, new) }
    #expect(error?.description == message)
  }

  @Test func `a data file may hold values of megabytes`() throws {
    let folder = try TemporaryFolder()
    let image = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
    for (name, text) in [("a.csv", "x"), ("b.csv", "y")] {
      try folder.write(name, "number,text,image\n1,\(text),\(image.base64EncodedString())\n")
    }
    let file = try folder.write(
      "large.yaml",
      """
      asks: Is it read?
      entity: { name: Note, key: number, attributes: { number: int64, text: string, image: data } }
      data: { before: a.csv, after: b.csv }
      """)
    let workload = try Workload.make(try #require(try Scenario.load(file: file).first), seed: 1)
    #expect(workload.initialRows[0][2] == .data(image))
    #expect(workload.counts == ChangeCounts(updates: 1))
  }
}
