import Foundation
import Judging
import Measurement
import Testing

@testable import Harness

@Suite struct RunContextTests {
  private let folder = TemporaryFolder()
  private let section = CellKey(scenario: "s", topology: "", store: "pool")

  private func environment(
    load: Double, planned: Int? = 4, clause: String = "the user was idle"
  ) -> MachineEnvironment {
    var environment = MachineEnvironment.sample(in: folder)
    environment.machine.loadAverage = [load]
    environment.machine.competing = nil
    if let planned { environment.run.planned = [section: planned] }
    environment.run.choices = [
      ScenarioChoices(scenario: "s", parameters: "", choices: [clause])
    ]
    return environment
  }

  private func read(_ environment: MachineEnvironment) throws -> MachineEnvironment {
    try ResultsFile(path: folder.path("a.csv"), force: true).write(environment)
    return try #require(MachineEnvironment(besides: folder.path("a.csv")))
  }

  @Test func `a report of a run's files has the context of the run`() throws {
    var environment = environment(load: 1.5)
    environment.run.scenarios = [["name": #""s""#, "list.batch_size": "20"]]
    environment.note(steal: 0.0123456789)
    let context = RunContext([environment])
    #expect(RunContext([try read(environment)]) == context)
    #expect(context.load == 1.5 && context.cores == Machine.cores && context.isDebugBuild)
    #expect(context.plannedCells == [section: 4])
    #expect(context.defaults == [Setting(scenario: "s"): ["the user was idle"]])
    #expect(context.fields == ["s": ["name": "s", "list.batch_size": "20"]])
    #expect(abs((context.steal ?? 0) - 0.0123456789) < 1e-12)
  }

  @Test func `a resumed run has the load and steal of its worse part, and the last plan`() throws {
    var begun = environment(load: 0.5)
    begun.note(steal: 0.25)
    var resumed = begun.resumed(in: environment(load: 3, planned: 6))
    resumed.note(steal: 0.01)
    let context = RunContext([resumed])
    #expect(RunContext([try read(resumed)]) == context)
    #expect(context.load == 3 && context.cores == Machine.cores)
    #expect(context.steal == 0.25)
    #expect(resumed.run.resumptions?.map(\.machine.steal) == [1])
    #expect(context.plannedCells == [section: 6])
  }

  @Test func `documents of one machine keep the choices of each scenario`() throws {
    let parts = [environment(load: 1), environment(load: 2, planned: 3, clause: "60 Hz")]
    var collection = CellCollection()
    for (index, part) in parts.enumerated() {
      var document = CellDocument.sample(topology: "t", order: index + 1)
      document.environment = part
      document.environment?.run.choices?[0].parameters = "{\"n\":\(index)}"
      try collection.add(JSONEncoder().encode(document), from: "part \(index)")
    }
    #expect(collection.environments.count == 1)
    let context = RunContext(collection.environments)
    #expect(Set(context.defaults.values) == [["the user was idle"], ["60 Hz"]])
    #expect(context.plannedCells == [section: 7])
    let environment = try #require(collection.environment)
    #expect(RunContext([try read(environment)]) == context)
  }
}
