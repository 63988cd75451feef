import Foundation
import Testing

@testable import Harness

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
