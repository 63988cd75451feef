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
    let status: Int32
    let output: String
    let errors: String

    fileprivate func expected(_ status: Int32?, _ sourceLocation: SourceLocation) -> Outcome {
      if let status {
        #expect(self.status == status, "\(errors)", sourceLocation: sourceLocation)
      }
      return self
    }
  }

  /// Read and measured in milliseconds.
  static let fewCities = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../Scenarios/few-cities.yaml").standardizedFileURL.path

  static let sampleReport = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../results/full/5000-cities.csv").standardizedFileURL.path

  static func executable(_ name: String) -> URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
  }

  /// - Parameter status: the expected exit status; nil for any.
  @discardableResult
  func run(
    _ arguments: String..., command: String = "topobench", expecting status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try run(arguments, command: command, expecting: status, sourceLocation: sourceLocation)
  }

  @discardableResult
  func run(
    _ arguments: [String], command: String = "topobench", expecting status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try finish(process(arguments, command: command)).expected(status, sourceLocation)
  }

  /// Runs the command, or another program, on a thread of its own.
  ///
  /// - Parameter reading: a file in the folder to use as standard input.
  @discardableResult
  func runAside(
    _ arguments: [String], command: String = "topobench", executable: URL? = nil,
    reading file: String? = nil, expecting status: Int32? = nil,
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
    return outcome.expected(status, sourceLocation)
  }

  /// In the script, `$topobench` is the command.
  @discardableResult
  func shell(
    _ script: String, expecting status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let process = process(["-c", script])
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["topobench": Self.executable("topobench").path]) { $1 }
    return try finish(process).expected(status, sourceLocation)
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
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: said)
  }

  func process(_ arguments: [String], command: String = "topobench") -> Process {
    let process = Process()
    process.executableURL = Self.executable(command)
    process.arguments = arguments
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

  func processesLeft() -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let here = folder.resolvingSymlinksInPath().path
    return all.compactMap { Int32($0) }.filter { number in
      let (place, program) = (link("/proc/\(number)/cwd"), link("/proc/\(number)/exe"))
      return place == here && program?.hasSuffix("topobench") == true
    }
  }

  private func link(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }
}

private final class PipeReader: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let collected = Box()

  // @unchecked: the semaphore orders the one writer before the one reader.
  private final class Box: @unchecked Sendable {
    var data = Data()
  }

  init(_ pipe: Pipe) {
    let (done, collected, handle) = (done, collected, pipe.fileHandleForReading)
    Thread {
      collected.data = handle.readDataToEndOfFile()
      done.signal()
    }.start()
  }

  func text() -> String {
    done.wait()
    return String(decoding: collected.data, as: UTF8.self)
  }
}
