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

  @Test func `the version is the change log's newest, and says whether it is released`() throws {
    let log = try DocumentationPages.text("CHANGELOG.md")
    let newest = try #require(log.firstMatch(of: /\n## ([\d.]+)(, not released yet)?/)).output
    #expect(Executable.version == "\(newest.1)\(newest.2 == nil ? "" : "-dev")")
  }

  /// - Returns: its address.
  private func makeSchema(in folder: String) throws -> String {
    let folder = prefix.appendingPathComponent(folder, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("scenario-1.schema.json")
    try Data("{}".utf8).write(to: file)
    return file.absoluteString
  }

  @Test func `a scenario names the installed schema, or the source tree's, or none`() throws {
    let program = prefix.appendingPathComponent("bin/topobench").path
    let tree = prefix.appendingPathComponent("tree").path
    func line() -> String { Executable.schemaLine(of: program, sourceTree: tree) }
    #expect(line() == "")
    let source = try makeSchema(in: "tree/Documentation/Schemas")
    #expect(line() == "# yaml-language-server: $schema=\(source)\n")
    let installed = try makeSchema(in: "share/topobench/Schemas")
    #expect(line() == "# yaml-language-server: $schema=\(installed)\n")
    #expect(installed.contains("topobench%20prefix"))
  }
}

/// Functions of `scripts/lib.sh`, in a checkout whose `swift` only prints.
@Suite final class ScriptLibraryTests {
  private let checkout: URL
  private let cache: URL

  init() throws {
    checkout = FileManager.default.temporaryDirectory
      .appending(path: "topobench-checkout-\(UUID().uuidString)")
    cache = checkout.appending(path: ".build/here/release/ModuleCache")
    for folder in [cache, checkout.appending(path: "scripts"), checkout.appending(path: "bin")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      at: DocumentationPages.root.appending(path: "scripts/lib.sh"),
      to: checkout.appending(path: "scripts/lib.sh"))
  }

  deinit { try? FileManager.default.removeItem(at: checkout) }

  /// Makes a program that comes before others of its name.
  private func make(_ program: String, _ script: String) throws {
    let file = checkout.appending(path: program)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
  }

  /// Runs a script after the library.
  private func run(_ script: String) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.currentDirectoryURL = checkout
    process.arguments = [
      "-c", "set -euo pipefail; PATH=$PWD/bin:$PATH; source scripts/lib.sh; \(script)",
    ]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  private func build(failingWith message: String) throws -> Int32 {
    try make("bin/swift", "[ ! -d '\(cache.path)' ] || { echo '\(message)'; exit 1; }")
    return try run("release").status
  }

  @Test func `a moved checkout cleans its module cache and builds again`() throws {
    #expect(try build(failingWith: "error: missing required module CSQLite") == 0)
    #expect(!FileManager.default.fileExists(atPath: cache.path))
  }

  @Test func `another failure of the build keeps the module cache`() throws {
    #expect(try build(failingWith: "error: no such module") == 1)
    #expect(FileManager.default.fileExists(atPath: cache.path))
  }

  @Test func `a build outside of Linux names the container`() throws {
    try make("bin/uname", "echo Darwin")
    try make("bin/swift", "echo Apple Swift version 6.3")
    let outcome = try run("build")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("topobench needs Linux"), "\(outcome)")
    #expect(outcome.errors.contains("/Containerfile' begins with the commands"), "\(outcome)")
  }

  @Test func `a missing toolchain is named without a home folder, too`() throws {
    let outcome = try run("unset HOME SWIFTLY_BIN_DIR; command() { return 1; }; require_swift")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("Error: no Swift toolchain on the PATH"), "\(outcome)")
  }

  @Test func `a checkout that cannot be written is an error with its folder`() throws {
    let folder = checkout.appending(path: ".build")
    try FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    let outcome = try run("build")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("Error: cannot build topobench: '"), "\(outcome)")
    #expect(outcome.errors.contains("/.build' is not writable; clone"), "\(outcome)")
  }

  @Test func `the command knows how its script was called`() throws {
    for folder in ["Sources", ".build/release"] {
      try FileManager.default.createDirectory(
        at: checkout.appending(path: folder), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      at: DocumentationPages.root.appending(path: "scripts/topobench"),
      to: checkout.appending(path: "scripts/topobench"))
    try make(".build/release/topobench", "echo \"$TOPOBENCH_COMMAND $*\" >&2")
    let outcome = try run(
      "touch Package.swift .build/topobench.stamp; scripts/topobench scenario new")
    #expect(outcome.status == 0 && outcome.errors == "scripts/topobench scenario new\n")
  }
}
