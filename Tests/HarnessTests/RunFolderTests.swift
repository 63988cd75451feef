import Foundation
import Testing

@testable import Harness

@Suite("Folders of runs")
struct RunFolderTests {
  private let parent: TemporaryFolder

  init() throws { parent = try TemporaryFolder() }

  private var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: parent.url.path)) }
  }

  /// A folder that looks like a run's.
  ///
  /// - Parameter hasLock: whether a run made it, which is gone.
  private func leave(_ name: String, hasLock: Bool) throws {
    let folder = parent.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data().write(to: folder.appendingPathComponent("store.sqlite"))
    guard hasLock else { return }
    try Data().write(to: folder.appendingPathComponent(RunFolder.lockName))
  }

  @Test func `what a killed run left goes when the next one makes its folder`() throws {
    try leave("topobench-\(UUID().uuidString)", hasLock: true)
    let folder = try RunFolder.make(in: parent.url)
    #expect(try names == [folder.lastPathComponent])
  }

  @Test func `a run at work keeps its folder`() throws {
    let first = try RunFolder.make(in: parent.url)
    let second = try RunFolder.make(in: parent.url)
    #expect(try names == [first.lastPathComponent, second.lastPathComponent])
  }

  @Test func `what no run can be known to have made stays`() throws {
    let others = ["topobench-test-\(UUID().uuidString)", "topobench-results", "\(UUID())"]
    for name in others { try leave(name, hasLock: true) }
    let unlocked = "topobench-\(UUID().uuidString)"
    try leave(unlocked, hasLock: false)
    // A link leads to what somebody else may need.
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
