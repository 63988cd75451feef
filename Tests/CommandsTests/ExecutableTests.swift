import Foundation
import Testing

@testable import Commands

@Suite final class ExecutableTests {
  private let prefix: URL

  init() throws {
    prefix = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench prefix \(UUID().uuidString)", isDirectory: true)
    let share = prefix.appendingPathComponent("share/topobench", isDirectory: true)
    try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
    try Data("0123456789ab\n".utf8).write(to: share.appendingPathComponent("revision"))
  }

  deinit { try? FileManager.default.removeItem(at: prefix) }

  @Test func `an installed program knows the commit that it was built from`() {
    let program = prefix.appendingPathComponent("bin/topobench").path
    #expect(Executable.revision(of: program, environment: [:]) == "0123456789ab")
    #expect(
      Executable.revision(of: program, environment: ["TOPOBENCH_GIT_SHA": "fedcba"]) == "fedcba")
  }

  @Test func `an executable without a recorded commit has an empty one`() {
    #expect(Executable.revision(of: "/nowhere/bin/topobench", environment: [:]) == "")
  }
}
