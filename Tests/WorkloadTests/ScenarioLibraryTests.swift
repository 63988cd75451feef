import Foundation
import Support
import Testing

@testable import Workload

struct ScenarioLibraryTests {
  static func library(
    folder: String? = nil, executable: String = "/nowhere/bin/topobench",
    environment: [String: String] = [:], sourceTree: String? = nil
  ) throws -> ScenarioLibrary {
    try ScenarioLibrary(
      folder: folder, executable: executable, environment: environment, sourceTree: sourceTree)
  }

  static func scenarioFolder(_ folder: TemporaryFolder, _ place: String) throws -> String {
    try folder.write("\(place)/small.yaml", Small.yaml)
    try folder.write("\(place)/before.csv", Small.before)
    try folder.write("\(place)/after.csv", Small.after)
    return "\(folder.path)/\(place)"
  }

  @Test func `the flag's folder comes before the environment's, the executable's and the source's`()
    throws
  {
    let folder = try TemporaryFolder()
    let flag = try Self.scenarioFolder(folder, "flag")
    let variable = try Self.scenarioFolder(folder, "variable")
    let beside = try Self.scenarioFolder(folder, "bin/Scenarios")
    let shared = try Self.scenarioFolder(folder, "share/topobench/Scenarios")
    let source = try Self.scenarioFolder(folder, "source/Scenarios")
    let library = try Self.library(
      folder: flag, executable: "\(folder.path)/bin/topobench",
      environment: ["TOPOBENCH_SCENARIOS": variable], sourceTree: "\(folder.path)/source")
    #expect(library.folders == [flag, variable, beside, shared, source])
    var remaining = library.folders
    while let first = remaining.first {
      #expect(
        try Self.library(
          folder: remaining.contains(flag) ? flag : nil,
          executable: "\(folder.path)/bin/topobench",
          environment: remaining.contains(variable) ? ["TOPOBENCH_SCENARIOS": variable] : [:],
          sourceTree: "\(folder.path)/source"
        ).file(of: "small") == "\(first)/small.yaml")
      try FileManager.default.removeItem(atPath: first)
      remaining.removeFirst()
    }
  }

  @Test func `the executable may be a symbolic link to a link`() throws {
    let folder = try TemporaryFolder()
    let shared = try Self.scenarioFolder(folder, "opt/share/topobench/Scenarios")
    let real = try folder.write("opt/bin/topobench", "")
    let link = "\(folder.path)/link"
    let second = "\(folder.path)/second"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    try FileManager.default.createSymbolicLink(atPath: second, withDestinationPath: "link")
    #expect(try Self.library(executable: second).folders == [shared])
  }

  @Test func `a path is used as it is, whatever the folders contain`() throws {
    let folder = try TemporaryFolder()
    let place = try Self.scenarioFolder(folder, "mine")
    let library = try Self.library()
    #expect(try library.file(of: "\(place)/small.yaml") == "\(place)/small.yaml")
    let error = #expect(throws: InputError.self) {
      try library.file(of: "\(place)/other.yaml")
    }
    #expect(error?.description == "\(place)/other.yaml: no such file")
    let plain = #expect(throws: InputError.self) { try library.file(of: "other.yaml") }
    #expect(plain?.description == "other.yaml: no such file")
  }

  @Test func `the error of an unknown name has the nearest and all known ones`() throws {
    let library = try Self.library(folder: Shipped.folder)
    let error = #expect(throws: InputError.self) { try library.file(of: "5000-citis") }
    #expect(
      error?.description.hasPrefix(
        "unknown scenario '5000-citis'. Did you mean '5000-cities'? Known: 5000-cities, ") == true)
    let far = #expect(throws: InputError.self) { try library.file(of: "nothing-like-it") }
    #expect(
      far?.description.hasPrefix("unknown scenario 'nothing-like-it'. Known: 5000-cities, ") == true
    )
    let none = #expect(throws: InputError.self) { try Self.library().file(of: "x") }
    #expect(
      none?.description
        == "unknown scenario 'x': no scenario was found at all; name a file, "
        + "or set TOPOBENCH_SCENARIOS to the folder that holds them")
  }

  @Test func `a named folder that is missing is an error`() throws {
    let flag = #expect(throws: InputError.self) { try Self.library(folder: "/no/such") }
    #expect(flag?.description == "the scenario folder is '/no/such', which is not a folder")
    let variable = #expect(throws: InputError.self) {
      try Self.library(environment: ["TOPOBENCH_SCENARIOS": "/no/such"])
    }
    #expect(variable?.description == "TOPOBENCH_SCENARIOS is '/no/such', which is not a folder")
    #expect(try Self.library(environment: ["TOPOBENCH_SCENARIOS": ""]).folders.isEmpty)
  }

  @Test func `the list has every scenario by name, with its question or its error`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.scenarioFolder(folder, "first")
    let second = try Self.scenarioFolder(folder, "second")
    try folder.write("first/broken.yaml", "name: 5")
    try folder.write("first/notes.md", "no scenario")
    try folder.write("second/small.yaml", "hidden by the first")
    let entries = try Self.library(
      folder: first, environment: ["TOPOBENCH_SCENARIOS": second]
    ).entries()
    #expect(entries.map(\.name) == ["broken", "small"])
    #expect(entries.map(\.asks) == ["", "Does it work?"])
    #expect(entries.map(\.file) == ["\(first)/broken.yaml", "\(first)/small.yaml"])
    #expect(entries.map { $0.problem == nil } == [false, true])
  }

  @Test func `the source tree contains the shipped scenarios`() throws {
    let library = try ScenarioLibrary(
      folder: nil, executable: "/nowhere/topobench", environment: [:])
    #expect(try library.file(of: "5000-cities") == "\(Shipped.folder)/5000-cities.yaml")
  }
}
