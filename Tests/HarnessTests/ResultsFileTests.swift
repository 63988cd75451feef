import Foundation
import Measurement
import Testing

@testable import Harness

@Suite struct ResultsFileTests {
  private let folder = TemporaryFolder()

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test func `the header is written before the first cell`() throws {
    _ = try ResultsFile(path: folder.path("a.csv"), force: false)
    #expect(try text("a.csv") == CellCSV.header)
  }

  @Test func `each cell's row and document are on disk when append returns`() throws {
    let results = try ResultsFile(path: folder.path("new/folder/a.csv"), force: false)
    for order in 1...3 {
      let document = CellDocument.sample(topology: "main-only", order: order)
      try results.append(document)
      let rows = try CellCSV.decode(text("new/folder/a.csv"))
      #expect(rows.map(\.order) == Array(1...order))
      let name = "000\(order)-5000-cities-main-only-pool-1.json"
      let json = try Data(
        contentsOf: URL(fileURLWithPath: folder.path("new/folder/a.cells/\(name)")))
      let back = try JSONDecoder().decode(CellDocument.self, from: json)
      #expect(back.specification == document.specification)
      #expect(back.result == document.result)
    }
  }

  @Test func `a report that is deleted while a document is written is rescued`() throws {
    StandardStreams.prepare()
    let results = try ResultsFile(path: folder.path("a.csv"), force: false)
    let report = folder.path("a.csv")
    let pipe = folder.path("a.cells/0001-5000-cities-main-only-pool-1.json")
    #expect(mkfifo(pipe, 0o600) == 0)
    Thread.detachNewThread {
      // Waits until the document is opened for writing.
      let reader = open(pipe, O_RDONLY)
      unlink(report)
      close(reader)
    }
    var document = CellDocument.sample(topology: "main-only")
    // The document is longer than a pipe's buffer, so writing it fails.
    document.result.error = String(repeating: "a", count: 100_000)
    let told = message { try results.append(document) }
    #expect(told.contains("was deleted or replaced during the run"), "\(told)")
    #expect(try CellCSV.decode(text("a-rescued.csv")).map(\.order) == [1])
  }

  @Test func `the environment lies beside the rows`() throws {
    let results = try ResultsFile(path: folder.path("a.csv"), force: false)
    try results.write(["cpu": "a/b"])
    #expect(try text("a.env.json") == "{\n  \"cpu\" : \"a/b\"\n}")
  }

  @Test(arguments: ["a.csv", "a.env.json", "a.cells"])
  func `existing files are not replaced`(existing: String) throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path(existing)))
    let told = message { _ = try ResultsFile(path: folder.path("a.csv"), force: false) }
    #expect(
      told
        == "--output: '\(folder.path(existing))' exists; name another file, or --force to write over it"
    )
    #expect(try text(existing) == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [existing])
  }

  @Test func `with force, an earlier run's files are replaced`() throws {
    do {
      let first = try ResultsFile(path: folder.path("a.csv"), force: false)
      try first.append(.sample(topology: "main-only", order: 7))
    }
    _ = try ResultsFile(path: folder.path("a.csv"), force: true)
    #expect(try text("a.csv") == CellCSV.header)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a.cells")) == [])
  }

  @Test func `an error of writing has the system's reason`() throws {
    try Data().write(to: URL(fileURLWithPath: folder.path("file")))
    let told = message { _ = try ResultsFile(path: folder.path("file/a.csv"), force: false) }
    #expect(told == "--output: cannot write '\(folder.path("file/a.csv"))': not a directory")
    let missing = message { _ = try ResultsFile(path: "/proc/none/a.csv", force: false) }
    #expect(missing == "--output: cannot write '/proc/none/a.csv': no such file or directory")
  }

  @Test(arguments: [("n", "n.csv"), ("n.csv", "n")])
  func `a name that shares another report's files is refused, also with force`(
    existing: String, name: String
  ) throws {
    let first = try ResultsFile(path: folder.path(existing), force: false)
    try first.write(["cpu": "mine"])
    for open in [
      { _ = try ResultsFile(path: folder.path(name), force: true) },
      { _ = try ResultsFile(resuming: folder.path(name)) },
    ] {
      #expect(
        message(open)
          == "--output: '\(folder.path(name))' would share 'n.env.json' with the report"
          + " '\(folder.path(existing))'; name another file")
    }
    #expect(try text("n.env.json").contains("mine"))
    #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
  }

  @Test func `a file of that name which is no report does not matter`() throws {
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder.path("n")))
    _ = try ResultsFile(path: folder.path("n.csv"), force: false)
    _ = try ResultsFile(path: folder.path("n.csv.csv"), force: false)
  }

  @Test func `the name of an environment file is refused`() {
    let told = message { _ = try ResultsFile(path: folder.path("n.env.json"), force: true) }
    #expect(told.hasSuffix("is the name of an environment file; end the name with .csv"))
  }

  @Test(arguments: [true, false])
  func `the draft of a killed process does not stop the next write to the file`(
    force: Bool
  ) throws {
    let file = URL(fileURLWithPath: folder.path("page.html"))
    // As long as a process writes, it holds the lock.
    let draft = folder.path("page.html.topobench-draft")
    try Data("a longer text that is not whole".utf8).write(to: URL(fileURLWithPath: draft))
    let holder = open(draft, O_WRONLY)
    flock(holder, LOCK_EX)
    let told = message { try FileSystem.write(Data("new".utf8), to: file, force: force) }
    #expect(told.hasSuffix("another topobench is writing to it"))
    #expect(FileManager.default.fileExists(atPath: draft))
    close(holder)
    try FileSystem.write(Data("new".utf8), to: file, force: force)
    #expect(try text("page.html") == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["page.html"])
  }

  @Test func `a draft is never written through a link`() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("victim")))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.topobench-draft"), withDestinationPath: folder.path("victim"))
    let told = message {
      try FileSystem.write(Data(), to: URL(fileURLWithPath: folder.path("a")), force: true)
    }
    #expect(told.contains("symbolic links"), "\(told)")
    #expect(try text("victim") == "mine")
  }

  @Test func `two runs started in one second get two names`() {
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    let first = ResultsFile.defaultPath(scenarios: ["a", "a"], at: date) { _ in false }
    #expect(first == "results/a-20260921T141320Z.csv")
    let second = ResultsFile.defaultPath(scenarios: ["a"], at: date) { $0 == first }
    #expect(second == "results/a-20260921T141320Z-2.csv")
    let several = ResultsFile.defaultPath(scenarios: ["a", "b"], at: date) { _ in false }
    #expect(several == "results/2-scenarios-20260921T141320Z.csv")
  }
}

@Suite("Folders of runs")
struct RunFolderTests {
  private let parent: TemporaryFolder

  init() throws { parent = TemporaryFolder() }

  private var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: parent.url.path)) }
  }

  private func leave(_ name: String, hasLock: Bool) throws {
    let folder = parent.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data().write(to: folder.appendingPathComponent("store.sqlite"))
    guard hasLock else { return }
    try Data().write(to: folder.appendingPathComponent(RunFolder.lockName))
  }

  @Test func `the next run removes a killed run's folder`() throws {
    try leave("topobench-\(UUID().uuidString)", hasLock: true)
    let folder = try RunFolder.make(in: parent.url)
    #expect(try names == [folder.lastPathComponent])
  }

  @Test func `the next run removes the folder of a run that was killed before it locked`() throws {
    let (old, new) = ("topobench-\(UUID().uuidString).new", "topobench-\(UUID().uuidString).new")
    for name in [old, new] { try leave(name, hasLock: false) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -100)],
      ofItemAtPath: parent.url.appendingPathComponent(old).path)
    let folder = try RunFolder.make(in: parent.url)
    #expect(try names == [new, folder.lastPathComponent])
  }

  @Test func `an ended run's folder is removed`() throws {
    let folder = try RunFolder.make(in: parent.url)
    try Data().write(to: folder.appendingPathComponent("store.sqlite"))
    RunFolder.remove(folder)
    #expect(try names.isEmpty)
  }

  @Test func `a running run keeps its folder`() throws {
    let first = try RunFolder.make(in: parent.url)
    let second = try RunFolder.make(in: parent.url)
    #expect(try names == [first.lastPathComponent, second.lastPathComponent])
  }

  @Test func `a folder that no run certainly made stays`() throws {
    let others = ["topobench-test-\(UUID().uuidString)", "topobench-results", "\(UUID())"]
    for name in others { try leave(name, hasLock: true) }
    let unlocked = "topobench-\(UUID().uuidString)"
    try leave(unlocked, hasLock: false)
    // The link's destination may belong to another program.
    let link = "topobench-\(UUID().uuidString)"
    try FileManager.default.createSymbolicLink(
      at: parent.url.appendingPathComponent(link),
      withDestinationURL: parent.url.appendingPathComponent("topobench-results"))
    let folder = try RunFolder.make(in: parent.url)
    #expect(try names == Set(others + [unlocked, link, folder.lastPathComponent]))
    let kept = parent.url.appendingPathComponent("topobench-results/store.sqlite")
    #expect(FileManager.default.fileExists(atPath: kept.path))
  }
}
