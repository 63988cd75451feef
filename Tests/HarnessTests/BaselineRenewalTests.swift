import Foundation
import Measurement
import Testing

@testable import Harness

@Suite struct BaselineRenewalTests {
  private let folder = TemporaryFolder()

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  private func writeReport(_ status: CellStatus = .ok, environment: Bool = true) throws {
    let results = try ResultsFile(path: path("new.csv"), force: true)
    try results.append(.sample(topology: "a", order: 1))
    try results.append(.sample(topology: "b", order: 2, status: status))
    guard environment else { return }
    var environment = MachineEnvironment.capture(
      version: "1", gitSHA: "a", storesIn: folder.url, scenarios: [])
    environment.commandLine = ["/somewhere/topobench", "--output", "/elsewhere/new.csv", "x/y"]
    try results.write(environment)
  }

  @Test func `the candidate's rows and environment replace the baseline`() throws {
    try writeReport()
    try Data("old".utf8).write(to: URL(fileURLWithPath: path("results-baseline.csv")))
    try BaselineRenewal(of: path("results-baseline.csv"), from: [path("new.csv")]).write()
    let rows = try CellCSV.decode(
      String(contentsOfFile: path("results-baseline.csv"), encoding: .utf8))
    #expect(rows.map(\.topology) == ["a", "b"])
    let environment = try JSONDecoder().decode(
      MachineEnvironment.self,
      from: Data(contentsOf: URL(fileURLWithPath: path("results-baseline.env.json"))))
    #expect(environment.hostID == Machine.hostID)
    #expect(environment.commandLine == ["topobench", "--output", "new.csv", "x/y"])
    #expect(!FileManager.default.fileExists(atPath: path("results-baseline.cells")))
  }

  @Test func `an invalid candidate changes nothing`() throws {
    let refusals: [(() throws -> Void, String)] = [
      ({ try writeReport(.wrong) }, "b, trial 1, is wrong"),
      ({ try writeReport(.suspect) }, "is suspect"),
      ({ try writeReport(environment: false) }, "has no environment file beside it"),
      ({ try FileManager.default.removeItem(atPath: path("new.csv")) }, "cannot read '"),
    ]
    for (prepare, words) in refusals {
      try? FileManager.default.removeItem(atPath: path("new.env.json"))
      try prepare()
      let error = #expect(throws: CellCollection.Failure.self) {
        try BaselineRenewal(of: path("baseline.csv"), from: [path("new.csv")])
      }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(!FileManager.default.fileExists(atPath: path("baseline.csv")))
    }
  }
}
