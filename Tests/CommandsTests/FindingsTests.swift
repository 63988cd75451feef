import Foundation
import Judging
import Measurement
import Reports
import Testing
import Topologies
import Workload

@testable import Commands

struct FindingsTests {
  private static let root = ScenarioLibrary.sourceTree

  @Test func `the page of findings is what its reports say`() throws {
    let folder = "\(Self.root)/results/full"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".csv") }.sorted()
    #expect(names.count >= 14, "scripts/run-all measures them")
    let page = try String(
      contentsOfFile: "\(Self.root)/Documentation/Explanation/Findings.md", encoding: .utf8)
    #expect(
      try FindingsCommand.page(of: names.map { "\(folder)/\($0)" }) == page,
      "scripts/findings writes it anew")
  }

  @Test(arguments: CommonAdvice.all.indices)
  func `an advice is about a shipped scenario, its fields and topologies that there are`(
    index: Int
  ) throws {
    let advice = CommonAdvice.all[index]
    let known = Set(Topologies.builtIn.map(\.name))
    #expect(known.isSuperset(of: [advice.recommended, advice.over]))
    #expect(Metrics.all.contains(advice.metric))
    let settings = try Scenario.load(file: "\(Self.root)/Scenarios/\(advice.scenario).yaml")
    let fits = settings.contains { setting in
      advice.parameters.allSatisfy { name, json in
        setting.parameters.contains { $0.name == name && $0.value.json == json }
      }
    }
    #expect(fits, "no setting of \(advice.scenario) has \(advice.parameters)")
  }

  @Test func `a report without its environment file is an error`() {
    let file = "\(Self.root)/Tests/none.csv"
    let error = #expect(throws: (any Error).self) { try FindingsCommand.page(of: [file]) }
    #expect("\(String(describing: error))".contains("none.csv"))
  }
}
