import Foundation
import Measurement
import Testing

@testable import Harness

// A refusal names the difference and what to do, and leaves the files unchanged.

extension InterruptedRunTests {
  @Test func `another machine is refused`() throws {
    try leave(cells: 2) { $0.hostID = "here" }
    var now = environment
    now.machine.hostID = "elsewhere"
    let told = try refusal(in: now)
    #expect(told.contains("another machine measured its rows"))
    #expect(told.contains(": host_id was 'here', is 'elsewhere'. Resume on"), "\(told)")
    #expect(told.contains("choose another --output"))
  }

  @Test func `an unknown machine continues its run until it starts again`() throws {
    try leave(cells: 2) { ($0.hostID, $0.boot) = (nil, "first") }
    var now = environment
    (now.machine.hostID, now.machine.boot) = (nil, "first")
    try InterruptedRun(reading: csv).check(request, in: now)
    let others: [(String?, String?)] = [(nil, "second"), (nil, nil), ("known", "second")]
    for (hostID, boot) in others {
      (now.machine.hostID, now.machine.boot) = (hostID, boot)
      let told = try refusal(in: now)
      #expect(
        told.contains("or nothing tells that it is the same: boot was 'first', is '"), "\(told)")
    }
  }

  @Test func `a known machine continues its run after it started again`() throws {
    try leave(cells: 2) { ($0.hostID, $0.boot) = ("here", "first") }
    var now = environment
    (now.machine.hostID, now.machine.boot) = ("here", "second")
    try InterruptedRun(reading: csv).check(request, in: now)
  }

  @Test func `machines of which nothing is known are never the same`() throws {
    try leave(cells: 2) { ($0.hostID, $0.boot) = (nil, nil) }
    var now = environment
    (now.machine.hostID, now.machine.boot) = (nil, nil)
    #expect(try refusal(in: now).contains("boot was 'unavailable', is 'unavailable'"))
  }

  @Test func `another binary or environment is refused`() throws {
    // A virtual machine may have none.
    try leave(cells: 2) { $0.governor = "old" }
    let changes: [(String, (inout MachineReading) -> Void)] = [
      ("binary", { $0.binary = "new" }), ("git_sha", { $0.gitSHA = "new" }),
      ("build", { $0.build = "new" }), ("kernel", { $0.kernel = "new" }),
      ("governor", { $0.governor = "new" }), ("sqlite", { $0.sqlite = "new" }),
      ("store_file_system", { $0.fileSystem = "new" }), ("cores", { $0.cores = 99 }),
      ("pragmas", { $0.pragmas?["synchronous"] = "new" }),
      ("processors_kept_awake", { $0.keepsAwake = true }),
    ]
    for (name, change) in changes {
      var now = environment
      change(&now.machine)
      let told = try refusal(in: now)
      #expect(told.contains("the binary or environment changed: \(name) was '"), "\(told)")
    }
  }

  @Test(arguments: [true, false])
  func `a setting that only one side could read is not compared`(isFirst: Bool) throws {
    func forget(_ machine: inout MachineReading) {
      (machine.binary, machine.pragmas) = (nil, nil)
      (machine.os, machine.kernel, machine.governor) = (nil, nil, nil)
    }
    try leave(cells: 2) { if isFirst { forget(&$0) } }
    var now = environment
    if !isFirst { forget(&now.machine) }
    try InterruptedRun(reading: csv).check(request, in: now)
  }

  @Test func `readings that vary by themselves are not compared`() throws {
    try leave(cells: 2)
    var now = environment
    now.machine.loadAverage = [9, 9, 9]
    now.machine.sync = 99
    now.run.commandLine = ["other"]
    try InterruptedRun(reading: csv).check(request, in: now)
  }

  @Test func `other options are refused, and the message has the original ones`() throws {
    try leave(cells: 2)
    let begun = environment.run.commandLine[0]
    let seed = try refusal(Self.request(folder.url, seed: 2))
    #expect(seed.contains("the seed of cell 1 was '1', these options plan '2'"))
    #expect(seed.contains(begun))
    let topologies = try refusal(Self.request(folder.url, topologies: ["a", "b", "c", "e"]))
    #expect(topologies.contains("the topology of cell"))
    var label = request
    label.label = "new"
    #expect(try refusal(label).contains("the label of cell 1 was '', these options plan 'new'"))
    var counted = request
    counted.countedParts = ["merge"]
    #expect(
      try refusal(counted).contains(
        "the measurement of cell 1 was 'times', these options plan 'instructions and parts'"))
    try write(CellCSV.header)
    try leaveMore(cells: 12)
    let trials = try refusal(Self.request(folder.url, trials: 2))
    #expect(trials.contains("it has cell 9 ("))
  }

  private func leaveMore(cells count: Int) throws {
    let results = try ResultsFile(resuming: csv.path)
    for cell in request.plan.cells.prefix(count) { try results.append(document(cell)) }
  }

  @Test func `a changed scenario is refused`() throws {
    try leave(cells: 2)
    var changed = request
    changed.scenarios = [RunScenario(scenario: request.scenarios[0].scenario, digest: "new")]
    let told = try refusal(changed)
    #expect(told.contains("scenario_digest was digest, is new"))
    #expect(told.contains("Restore "))
  }

  @Test func `rows without an environment file are refused`() throws {
    try leave(cells: 2)
    try FileManager.default.removeItem(at: file("a.env.json"))
    #expect(try refusal().contains("a.env.json' is missing"))
    try Data("{}".utf8).write(to: file("a.env.json"))
    #expect(try refusal().contains("is not an environment file"))
  }

  @Test func `an environment file of another run is refused`() throws {
    try leave(cells: 2)
    var other = environment
    other.run.id = "another-run"
    try ResultsFile.write(other, to: file("a.env.json"))
    let told = try refusal()
    #expect(told.contains("a.env.json' is of another run (another-run) than the rows (the-run)"))
    #expect(told.contains("choose another --output"))
  }

  @Test func `what could not be read on one side is not compared`() throws {
    for isMissingNow in [false, true] {
      try? FileManager.default.removeItem(at: csv)
      try? FileManager.default.removeItem(at: file("a.env.json"))
      try? FileManager.default.removeItem(at: file("a.cells"))
      var (begun, now) = (environment, environment)
      if isMissingNow {
        (now.machine.pragmas, now.machine.durable) = (nil, nil)
      } else {
        (begun.machine.pragmas, begun.machine.durable) = (nil, nil)
      }
      begun.run.id = request.runID
      let results = try ResultsFile(path: csv.path, force: false)
      try results.write(begun)
      try results.append(document(request.plan.cells[0]))
      try InterruptedRun(reading: csv).check(request, in: now)
    }
  }

  @Test func `files that are not one run's are refused`() throws {
    try leave(cells: 2)
    let whole = try text()
    let cases = [
      ("mine,and,not,a,report\n", "does not begin with this version's header row"),
      ("not even a line", "does not begin with this version's header row"),
      (whole + "topobench/3,short\n", "line 4, column 13: the row has 2 fields"),
      (whole + (whole.split(separator: "\n").last ?? "") + "\n", "holds cell 2 twice"),
      (whole + whole.replacing("the-run", with: "other"), "holds the rows of 2 runs"),
    ]
    for (text, words) in cases {
      try write(text)
      let told = try refusal()
      #expect(told.contains(words), "\(told)")
      #expect(told.hasPrefix("--resume: '\(csv.path)'"))
    }
  }

  @Test func `a file that another process writes to is refused`() throws {
    let first = try ResultsFile(path: csv.path, force: false)
    try first.write(environment)
    for open in [
      { _ = try ResultsFile(resuming: csv.path) },
      { _ = try ResultsFile(path: csv.path, force: true) },
    ] {
      let error = #expect(throws: UsageError.self) { try open() }
      #expect(error?.description.contains("another topobench is writing to it") == true)
    }
    try first.append(document(request.plan.cells[0]))
    #expect(try CellCSV.decode(text()).count == 1)
  }
}
