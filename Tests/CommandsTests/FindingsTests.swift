import Foundation
import Judging
import Measurement
import Reports
import Testing
import Topologies
import Workload

@testable import topobench_lab

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

  @Test func `advice names each claim about its two topologies that is not reproduced`() throws {
    let claims = try EvidenceClaim.all(in: "\(Self.root)/Documentation/Evidence")
    let failed = claims.filter(\.fails)
    #expect(claims.count > 40 && failed.contains { $0.id == "wwdc20-merge" })
    for advice in CommonAdvice.all {
      let own = failed.filter {
        $0.scenarios == [advice.scenario] && $0.topologies == [advice.recommended, advice.over]
      }
      #expect(own.map(\.id) == advice.unreproduced, "\(advice.says)")
    }
  }

  @Test func `advice about freezing is judged by the longest gap where something freezes`() throws {
    let given = CommonAdvice.all.filter { $0.says.contains("freezes") }
    #expect(!given.isEmpty)
    for advice in given {
      #expect(advice.metric == .mainLongestGap, "\(advice.says)")
      let report = try Findings.Report(
        reading: "\(Self.root)/results/full/\(advice.scenario).csv")
      let section = try #require(report.summary.sections.first(where: advice.isAbout))
      #expect(section.conclusion.usualFreeze != nil, "nothing freezes in \(advice.scenario)")
    }
  }

  @Test func `advice about live queries and snapshots names its source, and is measured`() throws {
    let script = try String(contentsOfFile: "\(Self.root)/scripts/run-all", encoding: .utf8)
    let about: Set = ["swiftdata", "background-snapshot", "background-snapshot-waiting"]
    let given = CommonAdvice.all.filter {
      about.contains($0.recommended) || about.contains($0.over)
    }
    #expect(given.count >= 3)
    for advice in given {
      #expect(advice.says.contains(" pull request "))
      let line = script.split(separator: "\n").first { $0.contains("[\(advice.scenario)]=") } ?? ""
      let measured = Set(line.split { "\" =".contains($0) }.map(String.init))
      for name in [advice.recommended, advice.over] where about.contains(name) {
        #expect(measured.contains(name), "scripts/run-all leaves \(name) out of \(advice.scenario)")
      }
    }
  }

  @Test func `a report without its environment file is an error`() {
    let file = "\(Self.root)/Tests/none.csv"
    let error = #expect(throws: (any Error).self) { try FindingsCommand.page(of: [file]) }
    #expect("\(String(describing: error))".contains("none.csv"))
  }
}
