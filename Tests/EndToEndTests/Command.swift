import Foundation
import Measurement
import Testing

final class CommandRun: Sendable {
  let folder: URL

  init() {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench e2e \(UUID().uuidString)", isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch { fatalError("the tests have no folder: \(error)") }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  struct Outcome {
    let arguments: [String]
    let status: Int32
    let output: String
    let errors: String

    fileprivate func expected(
      _ status: Int32?, _ words: String?, _ sourceLocation: SourceLocation
    ) -> Outcome {
      let place: Comment = "\(arguments): \(errors)"
      if let status { #expect(self.status == status, place, sourceLocation: sourceLocation) }
      if let words { #expect(errors.contains(words), place, sourceLocation: sourceLocation) }
      return self
    }

    func json() throws -> [String: Any] {
      try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }
  }

  /// The folder of the checkout.
  static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..")
    .standardizedFileURL

  /// Read and measured in milliseconds.
  static let fewCities = root.appendingPathComponent("Tests/Scenarios/few-cities.yaml").path

  static func small(
    _ topologies: String..., trials: Int = 1, rows: Int = 150, repeatFor milliseconds: Int = 1,
    output: String = "a.csv"
  ) -> [String] {
    [
      "--scenario", fewCities, "--trials", "\(trials)", "--set", "data.rows=\(rows)", "--set",
      "repeat_for_ms=\(milliseconds)", "--output", output,
    ] + (topologies.isEmpty ? ["main-only"] : topologies).flatMap { ["--topology", $0] }
  }

  static func executable(_ name: String) -> URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// - Parameter status: the expected exit status; nil for any.
  @discardableResult
  func run(
    _ arguments: String..., command: String = "topobench", expecting status: Int32? = nil,
    saying words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try run(
      arguments, command: command, expecting: status, saying: words, sourceLocation: sourceLocation)
  }

  @discardableResult
  func run(
    _ arguments: [String], command: String = "topobench", expecting status: Int32? = nil,
    saying words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try finish(process(arguments, command: command)).expected(status, words, sourceLocation)
  }

  /// Runs the command, or another program, on a thread of its own.
  ///
  /// - Parameter reading: a file in the folder to use as standard input.
  @discardableResult
  func runAside(
    _ arguments: [String], command: String = "topobench", executable: URL? = nil,
    reading file: String? = nil, expecting status: Int32? = nil, saying words: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let outcome = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(
          with: Result {
            let process = process(arguments, command: command)
            if let executable { process.executableURL = executable }
            if let file {
              process.standardInput = try FileHandle(
                forReadingFrom: folder.appendingPathComponent(file))
            }
            return try finish(process)
          })
      }
    }
    return outcome.expected(status, words, sourceLocation)
  }

  /// In the script, `$topobench` is the command.
  @discardableResult
  func shell(
    _ script: String, expecting status: Int32? = nil, saying words: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let process = process(
      ["-c", script], environment: ["topobench": Self.executable("topobench").path])
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    return try finish(process).expected(status, words, sourceLocation)
  }

  func finish(_ process: Process) throws -> Outcome {
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let reader = PipeReader(errors)
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let said = reader.text()
    process.waitUntilExit()
    return Outcome(
      arguments: process.arguments ?? [], status: process.terminationStatus,
      output: String(decoding: text, as: UTF8.self), errors: said)
  }

  /// - Parameter environment: added to that of the tests.
  func process(
    _ arguments: [String], command: String = "topobench", environment: [String: String] = [:]
  ) -> Process {
    let process = Process()
    process.executableURL = Self.executable(command)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  func cells(_ file: String) throws -> [CellResult] {
    try CellCSV.decode(try text(file))
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  func write(_ cells: [CellResult], to name: String) throws {
    try write(CellCSV.text(cells), to: name)
  }

  @discardableResult
  func makeFolder(_ name: String) throws -> URL {
    let new = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
    return new
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
  }

  func files(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path)
  }

  func processesLeft() -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let here = folder.resolvingSymlinksInPath().path
    return all.compactMap { Int32($0) }.filter { number in
      let links = ["cwd", "exe"].map {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/\($0)")
      }
      return links[0] == here && links[1]?.split(separator: "/").last?.contains("topobench") == true
    }
  }
}

// @unchecked: only the reading thread writes `data`, and the semaphore orders that before the one
// read.
private final class PipeReader: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var data = Data()

  init(_ pipe: Pipe) {
    let handle = pipe.fileHandleForReading
    Thread { [self] in
      data = handle.readDataToEndOfFile()
      done.signal()
    }.start()
  }

  func text() -> String {
    done.wait()
    return String(decoding: data, as: UTF8.self)
  }
}
