import ArgumentParser
import Foundation
import Harness
import SQLiteStore
import Testing
import Topologies

@testable import Commands

@Suite struct ResolutionTests {
  private func work(_ arguments: String...) throws -> WorkOptions {
    try WorkOptions.parse(["--set", "data.rows=60"] + arguments)
  }

  private func trials(_ work: WorkOptions) throws -> Int {
    try work.resolvedTrials(
      work.resolvedScenarios(), topologies: work.resolvedTopologies().count)
  }

  @Test func `a scenario alone asks the founding question, with enough trials to rank`() throws {
    let work = try work("--scenario", "5000-cities")
    let topologies = try work.resolvedTopologies()
    #expect(
      Set(topologies.map(\.name))
        == ["main-only", "parent-child", "root-main-private", "notification-merge"])
    let variants = work.variants(try work.resolvedScenarios(), topologies)
    #expect(variants.count == 4)
    #expect(variants.allSatisfy { $0.store == .pool })
    #expect(try trials(work) == 8)
  }

  @Test func `a scenario's trials count unless the command line says otherwise`() throws {
    #expect(try trials(work("--scenario", "5000-cities", "--set", "trials=3")) == 3)
    #expect(
      try trials(work("--scenario", "5000-cities", "--set", "trials=3", "--trials", "5")) == 5)
  }

  @Test func `both stores and a sweep give every combination once`() throws {
    let work = try work(
      "--scenario", "5000-cities", "--scenario", "5000-cities-replace", "--store", "both",
      "--topology", "main-only", "--topology", "main-only", "--topology", "parent-child",
      "--set", "changes.per_save=[10,20]")
    let scenarios = try work.resolvedScenarios()
    #expect(scenarios.count == 4)
    let variants = work.variants(scenarios, try work.resolvedTopologies())
    #expect(variants.count == 4 * 2 * 2)
    let names = variants.map { "\($0.scenario) \($0.topology) \($0.store)" }
    #expect(Set(names).count == names.count)
  }

  @Test func `all means all that are known`() throws {
    let work = try work("--topology", "main-only", "--topology", "all")
    #expect(try work.resolvedTopologies().map(\.name) == Topobench.topologies.map(\.name))
  }

  @Test(arguments: [0, -1, 10_001])
  func `a number of trials out of bounds is refused`(number: Int) throws {
    let work = try work("--scenario", "5000-cities", "--trials=\(number)")
    #expect(throws: UsageError.self) { try trials(work) }
  }
}
