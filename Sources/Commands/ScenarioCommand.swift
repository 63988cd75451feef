import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Support
import Topologies
import Workload

struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario", abstract: "Make or check a scenario, or print its schema.",
    subcommands: [
      NewCommand.self, FromLogCommand.self, CheckCommand.self, SchemaCommand.self,
    ])
}

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a scenario for a CSV or JSON file.",
    discussion: """
      Reads the columns, and proposes types, a key and an order. The scenario deletes all rows and \
      inserts them again; comments say how to change that.

      Examples:
        topobench scenario new cities.csv
        topobench --scenario ./cities.yaml
      """)

  @Argument(
    help: .init("Data file.", valueName: "file.csv"),
    completion: .file(extensions: ["csv", "tsv", "json", "jsonl", "geojson"]))
  var file: String
  @Option(
    help: .init(
      "Scenario file to write. (default: the data file's name with .yaml)",
      valueName: "file"))
  var output: String?
  @Flag(help: "Overwrite an existing file.") var force = false

  func run() throws {
    let data = URL(fileURLWithPath: file)
    let target = ReportOutput(path: output ?? ScenarioDraft.scenarioFile(of: file), force: force)
    try target.check(against: [file])
    let folder = URL(fileURLWithPath: target.path).deletingLastPathComponent().path
    let isBeside = folder == data.deletingLastPathComponent().path
    let draft = try ScenarioDraft(
      dataFile: file, name: isBeside ? data.lastPathComponent : data.path)
    try ScenarioRequest.check(draft.yaml, as: target.path)
    try target.write(Executable.schemaLine + draft.yaml, "the scenario")
    if let note = draft.note { Messages.say(note) }
    guard target.path != "-" else { return }
    Messages.say("Scenario: \(target.path)")
    Messages.sayNext(scenario: target.path)
  }
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a scenario and its data without measuring.",
    discussion: """
      Reads the scenario and its data files as a run does. Prints the settings that a run would \
      measure, its number of cells and about how long they take, or the first error. The time is \
      estimated by the numbers of rows, changes and saves. Prices of a device add to it.

      Examples:
        topobench scenario check my-list.yaml
        topobench scenario check 5000-cities --set 'changes.per_save=[50,500]'
      """)

  @Argument(help: .init("Scenario name or file.", valueName: "name"), completion: .scenarios)
  var scenario: String
  @Option(
    help: .init(
      "Set a scenario field; a list of values sweeps it. Repeatable.", valueName: "key=value"),
    completion: .fields)
  var set: [String] = []

  func run() throws {
    let request = ScenarioRequest(names: [scenario], set: set)
    var ofCells: [Duration] = []
    let scenarios = try request.load { run, check in
      let size = try check.size(of: run.scenario, seed: request.seed)
      ofCells.append(EstimatedTime(run.scenario, size).ofCell)
      return run.scenario
    }
    let topologies = Topologies.founding.count
    let trials = scenarios.compactMap(\.trials).max() ?? Trials.needed(topologies: topologies)
    let settings = scenarios.count == 1 ? "" : "\(scenarios.count) settings × "
    // Each setting has a cell in a topology's trial.
    let time = ofCells.reduce(.zero, +) * (topologies * trials)
    try StandardOutput().write(
      "\(scenario): valid; \(settings)\(topologies) topologies × \(trials) trials ="
        + " \(scenarios.count * topologies * trials) cells."
        + " A run takes about \(Figures.length(time)) on the machine of the committed reports\n",
      "the check")
  }
}

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenarios or policies, for editors.")

  @Flag(help: "Of a policy of `topobench gate`.") var policy = false

  func run() throws {
    try StandardOutput().write(
      policy ? EditorSchemas.policy() : EditorSchemas.scenario(), "the schema")
  }
}

struct FromLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "from-log",
    abstract: "Make a scenario from a log of your app's saves.",
    usage: "topobench scenario from-log <file.jsonl> <options>",
    discussion: """
      Each line of the log is a save: a JSON object as Documentation/Schemas/save-log-1.schema.json \
      describes it. Writes NAME.yaml and, beside it, NAME.saves.csv. The scenario makes each save \
      at its time, of as many objects; attributes and values are invented.

      Examples:
        topobench scenario from-log chat.jsonl
        topobench scenario from-log sync.jsonl --list Message --rows 20000 --longest-pause 2
        topobench --scenario ./chat.yaml
      """)

  @Argument(help: .init("The log of saves, one JSON object a line.", valueName: "file.jsonl"))
  var file: String
  @Option(
    help: .init("Scenario file to write. (default: the log's name with .yaml)", valueName: "file"))
  var output: String?
  @Option(
    help: .init(
      "Shorten each longer time between two saves to this. (default: keep it)", valueName: "seconds"
    ))
  var longestPause: Double?
  @Option(
    help: .init(
      "The entity that main's list shows. (default: the one with the most changes)",
      valueName: "entity"))
  var list: String?
  @Option(
    help: .init(
      "Its rows before the first save. (default: as many as main had registered)",
      valueName: "count"))
  var rows: Int?
  @Flag(help: "Overwrite existing files.") var force = false

  func validate() throws {
    guard longestPause.map({ $0 > 0 && $0 <= 3600 }) ?? true else {
      throw UsageError("--longest-pause: must be above 0, to 3600 seconds")
    }
    guard rows.map({ (0...10_000_000).contains($0) }) ?? true else {
      throw UsageError("--rows: must be 0 to 10000000")
    }
  }

  func run() throws {
    let scenario = output ?? Self.scenario(of: file)
    let outputs = [LoggedScenario.savesFile(of: scenario), scenario].map {
      ReportOutput(path: $0, force: force)
    }
    let log = try SaveLog(reading: file)
    let made = try LoggedScenario(
      log, file: scenario,
      .init(longestPause: longestPause, list: list, rows: rows))
    for output in outputs { try output.check(against: [file]) }
    try outputs[0].write(made.saves, "the saves")
    try outputs[1].write(Executable.schemaLine + made.yaml, "the scenario")
    if let line = log.tornLine { Messages.say("\(file):\(line): is cut off, and was left out") }
    Messages.say("Scenario: \(scenario)\nSaves: \(outputs[0].path)")
    Messages.sayNext(scenario: scenario)
  }

  private static func scenario(of log: String) -> String {
    let suffix = [".jsonl", ".ndjson", ".json"].first { log.hasSuffix($0) } ?? ""
    return "\(log.dropLast(suffix.count)).yaml"
  }
}

extension Messages {
  /// - Parameter file: of the scenario to measure. A name without a slash could be a shipped one's.
  fileprivate static func sayNext(scenario file: String) {
    let path = file.contains("/") ? file : "./\(file)"
    // In a checkout, scripts/topobench tells how it was called.
    let program = ProcessInfo.processInfo.environment["TOPOBENCH_COMMAND"] ?? "topobench"
    say("Next: \([program, "--scenario", path].shellCommand)")
  }
}
