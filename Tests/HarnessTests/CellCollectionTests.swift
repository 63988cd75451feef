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

  @Test func `a file larger than one MiB is read whole`() throws {
    let cells = (1...6000).map { CellDocument.sample(topology: "t", order: $0).result }
    let csv = folder.url.appendingPathComponent("large.csv")
    let bytes = Data(CellCSV.text(cells).utf8)
    try bytes.write(to: csv)
    var collection = CellCollection()
    try collection.add(csv.path)
    #expect(bytes.count > 1 << 20)
    #expect(collection.cells == cells)
  }

  @Test func `each machine is listed once`() throws {
    var here = MachineEnvironment.sample(in: folder)
    here.machine.hostID = "one"
    var documents = (1...3).map { CellDocument.sample(topology: "t", order: $0) }
    documents[0].environment = here
    here.machine.loadAverage = [7]
    documents[1].environment = here
    here.machine.hostID = "another"
    documents[2].environment = here
    let collection = try collection(("all", documents.map(line).joined()))
    #expect(collection.environments.map(\.machine.hostID) == ["one", "another"])
    let csv = folder.url.appendingPathComponent("a.csv")
    try collection.write(to: ResultsFile(path: csv.path, force: false))
    let written = try JSONDecoder().decode(
      MachineEnvironment.self,
      from: Data(contentsOf: folder.url.appendingPathComponent("a.env.json")))
    #expect(written.run.otherMachines?.map(\.machine.hostID) == ["another"])
    #expect(written.run.id == "run")
    var again = CellCollection()
    try again.add(csv.path)
    #expect(again.environment?.all.map(\.machine.hostID) == ["one", "another"])
  }

  @Test func `the machine's state before each shard is kept`() throws {
    var collection = CellCollection()
    for (number, load) in [(1, 0.5), (2, 7)] {
      let csv = folder.url.appendingPathComponent("\(number).csv")
      try Data(CellCSV.text([CellDocument.sample(topology: "t", order: number).result]).utf8)
        .write(to: csv)
      var environment = MachineEnvironment.sample(in: folder)
      environment.machine.loadAverage = [load]
      try JSONEncoder().encode(environment)
        .write(to: folder.url.appendingPathComponent("\(number).env.json"))
      try collection.add(csv.path)
    }
    #expect(collection.environments.count == 1)
    let later = collection.environment?.run.resumptions?.map(\.machine.loadAverage)
    #expect(later == [[7]])
  }

  @Test func `a document of an older build keeps what means the same`() throws {
    var document = CellDocument.sample(topology: "a")
    for name in ["frames_late", "frames_due", "hitch_ms_per_s"] {
      document.result.metrics[name] = 3
    }
    #expect(try collection(("now", line(document))).cells == [document.result])
    document.result.schema = "topobench/2"
    let cell = try #require(try collection(("old", line(document))).cells.first)
    #expect(cell.schema == CellResult.schema)
    #expect(cell.metrics[.framesDue] == 3)
    #expect(cell.metrics[.framesLate] == nil && cell.metrics[.hitchRate] == nil)
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

@Suite struct BaselineRenewalTests {
  private let folder = TemporaryFolder()

  private func writeReport(_ status: CellStatus = .ok, environment: Bool = true) throws {
    let results = try ResultsFile(path: folder.path("new.csv"), force: true)
    try results.append(.sample(topology: "a", order: 1))
    try results.append(.sample(topology: "b", order: 2, status: status))
    guard environment else { return }
    var environment = MachineEnvironment.sample(in: folder)
    environment.run.commandLine = ["/somewhere/topobench", "--output", "/elsewhere/new.csv", "x/y"]
    try results.write(environment)
  }

  @Test func `the candidate's rows and environment replace the baseline`() throws {
    try writeReport()
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path("results-baseline.csv")))
    try BaselineRenewal(of: folder.path("results-baseline.csv"), from: [folder.path("new.csv")])
      .write()
    let rows = try CellCSV.decode(
      String(contentsOfFile: folder.path("results-baseline.csv"), encoding: .utf8))
    #expect(rows.map(\.topology) == ["a", "b"])
    let environment = try JSONDecoder().decode(
      MachineEnvironment.self,
      from: Data(contentsOf: URL(fileURLWithPath: folder.path("results-baseline.env.json"))))
    #expect(environment.machine.hostID == Machine.hostID)
    #expect(environment.run.commandLine == ["topobench", "--output", "new.csv", "x/y"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("results-baseline.cells")))
  }

  @Test func `an invalid candidate changes nothing`() throws {
    let refusals: [(() throws -> Void, String)] = [
      ({ try writeReport(.wrong) }, "b, trial 1, is wrong"),
      ({ try writeReport(.suspect) }, "is suspect"),
      ({ try writeReport(environment: false) }, "has no environment file beside it"),
      ({ try FileManager.default.removeItem(atPath: folder.path("new.csv")) }, "cannot read '"),
    ]
    for (prepare, words) in refusals {
      try? FileManager.default.removeItem(atPath: folder.path("new.env.json"))
      try prepare()
      let error = #expect(throws: HarnessError.self) {
        try BaselineRenewal(of: folder.path("baseline.csv"), from: [folder.path("new.csv")])
      }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(!FileManager.default.fileExists(atPath: folder.path("baseline.csv")))
    }
  }
}

@Suite struct MedianRepeatTests {
  private let folder = TemporaryFolder()

  private var csv: String { folder.url.appendingPathComponent("run.csv").path }

  private func cell(_ trial: Int = 1, scenario: String = "s", run: String = "r1") -> CellResult {
    var cell = CellResult(
      runID: run, startedAt: "2026-01-02T03:04:05Z", scenario: scenario, topology: "t",
      store: "pool", trial: trial, order: trial, seed: 1, status: .ok)
    cell.metrics["main_blocked_ms"] = 5
    return cell
  }

  private func keep(_ cell: CellResult, executing: [Double]) throws {
    let windows = executing.map { time in
      var window = WindowSample(total: 60, changes: 10)
      window.executing = time
      window.gaps = [GapSample(start: 1, duration: time, cause: "merge")]
      return window
    }
    var document = CellDocument(
      specification: CellSpecification.sample(topology: "t"), result: cell)
    document.windows = windows
    let file = try ResultsFile(path: csv, force: true)
    try file.append(document)
  }

  private func reason(_ cell: CellResult, _ reports: [String]) -> String {
    message { _ = try CellDocuments.medianRepeat(of: cell, besides: reports) }
  }

  @Test func `the repeat with the median blocked time is read`() throws {
    try keep(cell(), executing: [9, 3, 5])
    let window = try CellDocuments.medianRepeat(of: cell(), besides: ["-", csv])
    #expect(window.executing == 5)
    #expect(window.gaps == [GapSample(start: 1, duration: 5, cause: "merge")])
  }

  @Test func `another cell's document is refused`() throws {
    try keep(cell(), executing: [1])
    #expect(reason(cell(run: "r2"), [csv]) == "no document of the cell lies beside the report")
    #expect(reason(cell(2), [csv]) == "no document of the cell lies beside the report")
    #expect(reason(cell(), ["-"]) == "no document of the cell lies beside the report")
  }

  @Test func `an unreadable or empty document is an error`() throws {
    try keep(cell(), executing: [])
    #expect(reason(cell(), [csv]) == "the cell’s document holds no window")
    let file = folder.url.appendingPathComponent("run.cells/0001-s-t-pool-1.json")
    try Data("{".utf8).write(to: file)
    #expect(reason(cell(), [csv]) == "the cell’s document cannot be read")
  }

  @Test(arguments: ["../../secret", "a/b", "a/\u{301}b", "nul\u{0}"])
  func `a scenario's name cannot lead out of the folder`(name: String) {
    #expect(reason(cell(scenario: name), [csv]) == "a document cannot have the name of its cell")
  }
}
