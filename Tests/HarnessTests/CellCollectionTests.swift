import Foundation
import Measurement
import SQLiteStore
import Testing

@testable import Harness

@Suite struct CellCollectionTests {
  private let folder = TemporaryFolder()

  private func line(_ document: CellDocument) throws -> String {
    String(decoding: try JSONEncoder().encode(document), as: UTF8.self) + "\n"
  }

  private func collection(_ parts: (String, String)...) throws -> CellCollection {
    var collection = CellCollection()
    for (source, text) in parts { try collection.add(Data(text.utf8), from: source) }
    return collection
  }

  @Test func `documents on one line or many lines, and rows, make one report`() throws {
    let documents = (1...4).map { CellDocument.sample(topology: "t\($0)", order: $0) }
    let pretty = JSONEncoder()
    pretty.outputFormatting = .prettyPrinted
    let collection = try collection(
      ("lines", line(documents[3]) + "\n" + line(documents[1])),
      ("pretty", String(decoding: pretty.encode(documents[0]), as: UTF8.self)),
      ("rows", CellCSV.text([documents[2].result])))
    try collection.requireOneRun()
    #expect(collection.cells == documents.map(\.result))
    let csv = folder.url.appendingPathComponent("a.csv")
    try collection.write(to: ResultsFile(path: csv.path, force: false))
    #expect(try CellCSV.decode(String(contentsOf: csv, encoding: .utf8)) == documents.map(\.result))
    let kept = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appendingPathComponent("a.cells").path)
    #expect(kept.count == 3)
  }

  @Test func `each machine is listed once`() throws {
    var here = MachineEnvironment.capture(
      version: "1", gitSHA: "a", storesIn: folder.url, scenarios: [])
    var documents = (1...3).map { CellDocument.sample(topology: "t", order: $0) }
    documents[0].environment = here
    here.loadAverage = "7"
    documents[1].environment = here
    here.hostID = "another"
    documents[2].environment = here
    let collection = try collection(("all", documents.map(line).joined()))
    #expect(collection.environments.map(\.hostID) == [Machine.hostID, "another"])
    let csv = folder.url.appendingPathComponent("a.csv")
    try collection.write(to: ResultsFile(path: csv.path, force: false))
    let written = try JSONDecoder().decode(
      MachineEnvironment.self,
      from: Data(contentsOf: folder.url.appendingPathComponent("a.env.json")))
    #expect(written.otherMachines?.map(\.hostID) == ["another"])
    #expect(written.runID == "run")
  }

  @Test func `an invalid document is an error with file and line`() throws {
    let good = try line(.sample(topology: "a"))
    let cases = [
      (good + "{\"protocol\":1}\n", "'x', line 2: not a cell's document: 'protocol': "),
      (good + "\n{\n", "'x', line 3: not a cell's document: "),
      ("{}", "'x', line 1: not a cell's document: 'protocol' is missing"),
      (good.replacing("cell\\/1", with: "cell\\/9"), "speaks 'topobench-cell/9'"),
      ("junk\n", "'x', line 1, column 1: no header row"), (CellCSV.header, "'x' holds no cell"),
      ("", "'x', line 1, column 1: empty"),
    ]
    for (text, words) in cases {
      let told = message { _ = try collection(("x", text)) }
      #expect(told.contains(words), "\(told)")
    }
  }

  @Test func `cells of different runs are refused`() throws {
    let one = CellDocument.sample(topology: "a")
    let twice = try collection(("x", line(one)), ("y", line(one)))
    #expect(message { try twice.requireOneRun() }.contains("occurs twice, in 'x' and 'y'"))
    let changes: [((inout CellResult) -> Void, String)] = [
      ({ $0.gitSHA = "b" }, "2 values of git_sha"), ({ $0.seed = 2 }, "2 values of seed"),
      ({ $0.scenarioDigest = "b" }, "2 versions of the scenario"),
    ]
    for (change, words) in changes {
      var other = CellDocument.sample(topology: "b", order: 2)
      change(&other.result)
      let both = try collection(("x", line(one)), ("y", line(other)))
      let told = message { try both.requireOneRun() }
      #expect(told.contains(words), "\(told)")
    }
  }

  @Test func `planned cells without a result are named`() throws {
    let plan = (1...3).map { CellSpecification.sample(topology: "t", order: $0) }
    let some = try collection(("x", line(.sample(topology: "t", order: 2))))
    #expect(
      try some.missing(of: plan) == [
        "cell 1 (5000-cities, t, pool, trial 1)", "cell 3 (5000-cities, t, pool, trial 1)",
      ])
    let told = message { _ = try some.missing(of: [plan[0]]) }
    #expect(told == "cell 2 (5000-cities, t, pool, trial 1), in 'x', is not in the plan")
  }
}
