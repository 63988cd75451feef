import ArgumentParser
import Foundation
import Harness
import Measurement
import SQLiteStore
import Support
import Testing
import Topologies
import Workload

@testable import Commands

@Suite final class ResolutionTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench commands \(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for name in ["a", "b"] { try write(Self.scenario(name), to: "\(name).yaml") }
    try write("id\n1\n2\n", to: "before.csv")
    try write("id\n2\n3\n", to: "after.csv")
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func scenario(_ name: String) -> String {
    """
    name: \(name)
    asks: What is resolved?
    entity: { name: Thing, key: id, attributes: { id: int64 } }
    data: { before: before.csv, after: after.csv }
    """
  }

  private func work(_ arguments: String...) throws -> WorkOptions {
    try WorkOptions.parse(["--scenarios-folder", folder.path] + arguments)
  }

  private func trials(_ work: WorkOptions) throws -> Int {
    try work.resolvedTrials(
      work.resolvedScenarios(), topologies: work.targets.resolvedTopologies().count)
  }

  @Test func `a scenario alone asks the founding question, with enough trials to rank`() throws {
    let work = try work("--scenario", "a")
    let topologies = try work.targets.resolvedTopologies()
    #expect(
      Set(topologies.map(\.name))
        == ["main-only", "parent-child", "root-main-private", "notification-merge"])
    let variants = try work.targets.variants(try work.resolvedScenarios(), topologies)
    #expect(variants.count == 4)
    #expect(variants.allSatisfy { $0.store == .pool })
    #expect(try trials(work) == 6)
  }

  @Test func `an added topology has a name of its own, and never another meaning`() async {
    for (name, words) in [("all", "'all'"), ("a/b", "'a/b'"), ("main-only", "two topologies")] {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [name = name as String] in
        let built = Topologies.builtIn[0]
        KnownTopologies.add([
          TopologyDescriptor(
            name: name, wiring: built.wiring, summary: built.summary, make: built.make)
        ])
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains(words), "\(said)")
    }
  }

  @Test func `all topologies get enough trials to rank all`() throws {
    let work = try work("--scenario", "a", "--topology", "all")
    let topologies = try work.targets.resolvedTopologies().count
    #expect(topologies >= 20)
    #expect(try trials(work) >= 8)
    #expect(try trials(work) == Trials.needed(topologies: topologies))
  }

  @Test func `a search is refused with the scenario if no row has a word to type`() throws {
    try write("id,text\n1,\n2,\n", to: "before-text.csv")
    try write("id,text\n1,\n2,\n3,new\n", to: "after-text.csv")
    try write(
      """
      name: c
      asks: What is typed?
      entity: { name: Thing, key: id, attributes: { id: int64, text: string } }
      data: { before: before-text.csv, after: after-text.csv }
      user: { searches_per_s: 100, search_where: "text CONTAINS $text" }
      """, to: "c.yaml")
    let error = #expect(throws: InputError.self) {
      _ = try work("--scenario", "c").resolvedScenarios()
    }
    let text = error?.description ?? ""
    #expect(text.contains("user.search_where': no row that stays has a word in text"), "\(text)")
  }

  @Test(arguments: [
    ("id > 0", "matches row 2, which stays"), ("id > 1", "matches row 2, which stays"),
    ("id > 3", "does not match row 1, which goes"), ("id == 1", ""),
  ])
  func `a predicate deletes exactly the rows that go`(predicate: String, problem: String) throws {
    let set = ["--set", "changes.stream=arrivals", "--set", "changes.delete_where=\(predicate)"]
    let work = try WorkOptions.parse(
      ["--scenarios-folder", folder.path, "--scenario", "a"] + set)
    guard !problem.isEmpty else { return _ = try work.resolvedScenarios() }
    let error = #expect(throws: InputError.self) { _ = try work.resolvedScenarios() }
    let text = error?.description ?? ""
    #expect(text.contains("\(problem); match exactly the rows that go"), "\(text)")
  }

  @Test(arguments: [
    ("by-rule", "number > 2", ", which goes; match exactly"),
    ("without-rules", "number > 2", ", which goes; match exactly"),
    ("by-rule", "number > 0", ""),
  ])
  func `rules of rows that stay delete no row of the list`(
    kind: String, predicate: String, problem: String
  ) throws {
    let request = ScenarioRequest(
      names: ["\(ScenarioLibrary.sourceTree)/Scenarios/sign-out.yaml"],
      set: [
        "changes.deletions=\(kind)", "changes.per_save=all", "changes.delete_where=\(predicate)",
      ], size: .smoke)
    guard !problem.isEmpty else { return _ = try request.load() }
    let error = #expect(throws: InputError.self) { _ = try request.load() }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    (["5000-cities"], "'5000-cities' is a scenario; type: topobench --scenario 5000-cities"),
    (["compere"], "unknown subcommand 'compere'. Did you mean 'compare'?"),
  ])
  func `a word without an option says what to type`(words: [String], text: String) {
    do {
      _ = try RunOptions.parse(words)
      Issue.record("accepted")
    } catch {
      #expect(RunOptions.fullMessage(for: error).contains(text))
    }
  }

  @Test func `a list of topologies, a part of a name and no scenario say what to type`() throws {
    let mistakes: [(WorkOptions, String)] = [
      (
        try work("--scenario", "a", "--topology", "main-only,parent-child"),
        "--topology main-only --topology parent-child"
      ),
      (try work("--scenario", "a", "--topology", "a,b"), "--topology a --topology b"),
      (try work("--scenario", "a", "--topology", "notification"), "'notification-merge'?"),
    ]
    for (work, text) in mistakes {
      let error = #expect(throws: UsageError.self) { try work.targets.resolvedTopologies() }
      #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }
    let error = #expect(throws: UsageError.self) { try work().resolvedScenarios() }
    #expect(
      error?.description.contains("Type: topobench --scenario 5000-cities. Scenarios: ") == true)
    #expect(ListCommand.Kind(argument: "topology") == .topologies)
    #expect(ListCommand.Kind(argument: "metric") == .metrics)
  }

  @Test func `a scenario's trials count unless the command line says otherwise`() throws {
    #expect(try trials(work("--scenario", "a", "--set", "trials=3")) == 3)
    #expect(try trials(work("--scenario", "a", "--set", "trials=3", "--trials", "5")) == 5)
  }

  @Test func `entities that are not a valid model are refused before anything is measured`() throws
  {
    let model = "model:\n  Thing:\n    relationships: { next: { to_one: Thin } }\n"
    try write("\(Self.scenario("c"))\n\(model)", to: "c.yaml")
    let work = try work("--scenario", "c")
    let error = #expect(throws: (any Error).self) { try work.resolvedScenarios() }
    let told = try #require(error.map { "\($0)" })
    #expect(told.contains("c.yaml:7: field 'model.Thing.relationships.next': "), "\(told)")
    #expect(error is InputError)
  }

  @Test func `both stores and a sweep give every combination once`() throws {
    let work = try work(
      "--scenario", "a", "--scenario", "b", "--store", "both",
      "--topology", "main-only", "--topology", "main-only", "--topology", "parent-child",
      "--set", "changes.per_save=[10,20]")
    let scenarios = try work.resolvedScenarios()
    #expect(scenarios.count == 4)
    let variants = try work.targets.variants(scenarios, try work.targets.resolvedTopologies())
    #expect(variants.count == 4 * 2 * 2)
    let names = variants.map { "\($0.scenario) \($0.topology) \($0.store)" }
    #expect(Set(names).count == names.count)
  }

  @Test func `all means every known topology`() throws {
    let work = try work("--topology", "main-only", "--topology", "all")
    #expect(try work.targets.resolvedTopologies().map(\.name) == KnownTopologies.all.map(\.name))
  }

  @Test(arguments: [0, -1, 10_001])
  func `a number of trials out of bounds is refused`(number: Int) throws {
    let work = try work("--scenario", "a", "--trials=\(number)")
    #expect(throws: UsageError.self) { try trials(work) }
  }
}
