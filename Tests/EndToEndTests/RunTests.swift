import Foundation
import Measurement
import ObjectGraph
import SQLiteStore
import Testing
import Topologies

@Suite("The command, end to end")
struct RunTests {
  private let command = CommandRun()

  @Test(arguments: [["--help"], ["list", "--help"], ["--version"]])
  func `help and the version go to standard output, and end with 0`(arguments: [String]) throws {
    let outcome = try command.run(arguments)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(!outcome.output.isEmpty && !outcome.output.contains("CommandError"))
  }

  @Test func `the version names the commit`() throws {
    let process = command.process(["--version"], environment: ["TOPOBENCH_GIT_SHA": "3f2a9c1"])
    #expect(try command.finish(process).output.hasSuffix(" (3f2a9c1)\n"))
  }

  @Test(arguments: [
    ("run", "--scenario", "5000-cities"), ("run", "--topology", "parent-child"),
    ("run", "--set", "changes.per_save="), ("gate", "--metric", "main_blocked_ms"),
    ("gate", "--only", "parent-child"), ("trace", "--scenario", "5000-cities"),
    ("trace", "--scenario", "mine"), ("trace", "--topology", "parent-child"),
    ("duet", "--inexact", "main_statements"), ("export", "--scenario", "5000-cities"),
    ("export", "--scenario", "mine"), ("doctor", "--topology", "all"),
    ("doctor", "--set", "changes.per_save="),
  ])
  func `a shell completes an option's value`(name: String, option: String, value: String) throws {
    try command.write("", to: "mine.yaml")
    let process = command.process(
      ["---completion", name, "--", option, "0", "0"], environment: ["SAP_SHELL": "bash"])
    let outcome = try command.finish(process)
    #expect(outcome.output.split(separator: "\n").contains { $0 == value }, "\(outcome)")
  }

  @Test func `a scenario for a data file runs as it is made`() throws {
    try command.write(
      "Nr;City name;Area;Since;Note\n1;Agra;1.5;2001-01-01;\n2;Bari;2;1999-12-31;x\n",
      to: "towns.csv")
    try command.run("scenario", "new", "towns.csv", expecting: 0)
    let made = try command.text("towns.yaml")
    let schema = CommandRun.root.appendingPathComponent(
      "Documentation/Schemas/scenario-1.schema.json")
    #expect(made.hasPrefix("# yaml-language-server: $schema=\(schema.absoluteString)\n# Made by "))
    for line in [
      "  key: Nr\n", "    Nr: int64\n", "    City_name: string\n", "    Area: double\n",
      "    Since: date\n", "    Note: string?\n", "  format: semicolon\n",
      "    \"City name\": City_name\n", "  sort: [City_name]\n",
    ] { #expect(made.contains(line), "\(line)\(made)") }
    try command.run(
      "--scenario", "./towns.yaml", "--topology", "main-only", "--trials", "1", "--set",
      "repeat_for_ms=1", "--output", "a.csv", expecting: 0)
    #expect(try command.cells("a.csv").map(\.status) == [.ok])
    try command.write("a,b\n1,2\n1,3\n1,2\n", to: "twice.csv")
    try command.run("scenario", "new", "twice.csv", expecting: 64, saying: "no column of")
    try command.run("scenario", "new", "towns.csv", expecting: 64, saying: "--force")
  }

  @Test func `a scenario is checked without measuring`() throws {
    let valid = try command.run("scenario", "check", CommandRun.fewCities, expecting: 0)
    #expect(
      valid.output.hasSuffix(
        "valid; 4 topologies × 6 trials = 24 cells."
          + " A run takes about 8 s on the machine of the committed reports\n"), "\(valid.output)")
    let swept = try command.run(
      "scenario", "check", CommandRun.fewCities, "--set", "repeat_for_ms=[700, 1700]", expecting: 0)
    #expect(
      swept.output.contains(" = 48 cells. A run takes about 1 min 17 s on"), "\(swept.output)")
    try command.run(
      "scenario", "check", CommandRun.fewCities, "--set", "changes.per_save=0", expecting: 64,
      saying: "per_save")
    let schema = try command.run("scenario", "schema", expecting: 0).json()
    #expect(schema["title"] as? String == "A scenario of topobench")
    #expect(try command.files().isEmpty)
  }

  /// The smoke matrix runs all scenarios in the tests' process; `scripts/soak` runs two here.
  private static let scenarios =
    ProcessInfo.processInfo.environment["TOPOBENCH_SOAK"] == nil
    ? [CommandRun.fewCities] : ["5000-cities", "5000-cities-replace"]

  @Test(arguments: scenarios)
  func `every topology does the same work in both stores`(scenario: String) throws {
    let outcome = try command.run(
      "--scenario", scenario, "--topology", "all", "--store", "both", "--trials", "1",
      "--set", "data.rows=150", "--set", "repeat_for_ms=1", "--output", "a.csv",
      "--keep-stores", "stores", expecting: 0)
    let cells = try command.cells("a.csv")
    let expected = Topologies.builtIn.flatMap(\.storeModes).count
    #expect(cells.count == expected)
    #expect(cells.allSatisfy { $0.status == .ok }, "\(cells.map(\.error))")
    #expect(Set(cells.map(\.fingerprint)).count == 1)
    #expect(command.exists("a.env.json"))
    let stores = try command.files(in: "stores")
    #expect(stores.count == expected)
    #expect(stores.allSatisfy { $0.hasSuffix("-1.sqlite") })
    #expect(outcome.output.contains("Not validated against Core Data"))
  }

  @Test func `if rows fill standard output, the answer goes to standard error`() throws {
    let run = try command.run(CommandRun.small(output: "-") + ["--quiet"], expecting: 0)
    #expect(try CellCSV.decode(run.output).count == 1)
    try command.write(run.output, to: "a.csv")
    let collected = try command.run("collect", "a.csv", "--output", "-", "--quiet", expecting: 0)
    #expect(collected.output == run.output)
    for errors in [run.errors, collected.errors] {
      #expect(errors.contains("main-only blocks main for"), "\(errors)")
    }
  }

  @Test func `exact counts are equal in two runs with one seed, and in all trials`() throws {
    // One topology for each way to reach main.
    var seen: [[String]] = []
    for file in ["a.csv", "b.csv"] {
      let run = CommandRun.small(
        "main-only", "parent-child", "root-main-private", "notification-merge", "root-hybrid",
        "two-coordinators", "sliced-merge", trials: 2, repeatFor: 50, output: file)
      try command.run(run + ["--seed", "7", "--quiet"], expecting: 0)
      let cells = try command.cells(file).sorted {
        ($0.topology, $0.trial) < ($1.topology, $1.trial)
      }
      seen.append(cells.map { counts($0) })
      for topology in Set(cells.map(\.topology)) {
        let own = Set(cells.filter { $0.topology == topology }.map { counts($0) })
        #expect(own.count == 1, "\(topology): \(own)")
      }
    }
    #expect(seen[0] == seen[1])
  }

  private func counts(_ cell: CellResult) -> String {
    let exact = Metrics.all.filter(\.isIndependentOfScheduling).map { metric in
      "\(metric.name)=\(cell.metrics[metric.name] ?? -1)"
    }
    return ([cell.topology, cell.fingerprint] + exact).joined(separator: " ")
  }

  @Test func `a failed cell has its own status and does not affect the others`() throws {
    let run = CommandRun.small(
      "losing", "deadlocking", "isolating", "dispatching", "crashing", "disordering", "talking",
      "main-only")
    try command.run(run + ["--timeout", "15"], command: "faulty-topobench", expecting: 3)
    let cells = Dictionary(
      uniqueKeysWithValues: try command.cells("a.csv").map { ($0.topology, $0) })
    #expect(cells["losing"]?.status == .wrong)
    #expect(cells["losing"]?.error.contains("1 row(s)") == true)
    #expect(cells["disordering"]?.status == .wrong)
    #expect(cells["disordering"]?.error.contains("wrong order") == true)
    #expect(cells["deadlocking"]?.status == .timeout)
    let parts = ["saves of repeat 1 were done; ", "main waits for another thread", "--timeout"]
    for part in parts { #expect(cells["deadlocking"]?.error.contains(part) == true, "\(cells)") }
    for name in ["isolating", "dispatching"] {
      #expect(cells[name]?.status == .crashed)
      #expect(cells[name]?.error.contains("DispatchQueue.main or the main actor") == true)
    }
    #expect(cells["crashing"]?.status == .crashed)
    #expect(cells["crashing"]?.error.contains("crashes on purpose") == true)
    #expect(cells["talking"]?.status == .ok, "\(cells["talking"]?.error ?? "")")
    #expect(cells["main-only"]?.status == .ok)
    #expect(command.processesLeft() == [])
  }

  private static let isSanitized = dlsym(nil, "__tsan_init") != nil

  @Test func `ThreadSanitizer finds a deliberate race, which is harmless in other builds`() throws {
    let outcome = try command.run(CommandRun.small("racing"), command: "faulty-topobench")
    let cell = try #require(command.cells("a.csv").first)
    #expect(cell.status == (Self.isSanitized ? .crashed : .ok), "\(cell.error)")
    #expect(cell.error.contains("status 66") == Self.isSanitized)
    #expect(outcome.status == (Self.isSanitized ? 3 : 0))
  }

  @Test func `rows may go to standard output`() throws {
    let outcome = try command.run(CommandRun.small(output: "-"), expecting: 0)
    #expect(try CellCSV.decode(outcome.output).count == 1)
    #expect(try command.files() == [])
  }

  @Test func `Ctrl-C ends the cell and keeps the rows`() throws {
    let process = command.process(CommandRun.small(trials: 500))
    try run(process, toFirstRowThen: SIGINT)
    #expect(process.terminationStatus == 130)
    let cells = try command.cells("a.csv")
    #expect(!cells.isEmpty && cells.count < 500)
    #expect(cells.allSatisfy { $0.status == .ok })
    #expect(command.processesLeft() == [])
  }

  @Test func `a killed runner's cell ends, and the next run removes its folder`() throws {
    try command.makeFolder("disk")
    let process = command.process(CommandRun.small(trials: 500, repeatFor: 0) + ["--disk", "disk"])
    try run(process, toFirstRowThen: SIGKILL)
    // The cell is signalled at once, but needs a moment to end.
    while !command.processesLeft().isEmpty { sched_yield() }
    #expect(!(try command.cells("a.csv")).isEmpty)
    #expect(try command.files(in: "disk").count == 1)
    try command.run(CommandRun.small(output: "b.csv") + ["--disk", "disk"], expecting: 0)
    #expect(try command.files(in: "disk") == [])
  }

  /// Ends the process with the signal when its first row is on disk.
  private func run(_ process: Process, toFirstRowThen signal: Int32) throws {
    try process.run()
    while process.isRunning, (try? command.cells("a.csv").isEmpty) != false { sched_yield() }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }
}
