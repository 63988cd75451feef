import ArgumentParser
import Foundation

/// What the storage core costs, beside SQLite's C API, GRDB's statements and GRDB's records, on the
/// same rows and pragmas in one process.
@main
struct CoreBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-core",
    abstract: "Measures the storage core against SQLite's C API and GRDB, in one process.")

  @Option(name: .customLong("size"), help: "How many objects; may be given several times.")
  var sizes: [Int] = [5000, 100_000]

  @Option(help: "How often everything is run; figures are medians.")
  var rounds = 7

  @Option(help: "A file for one row a round.")
  var csv: String?

  @Flag(help: "The core by itself: for profilers.")
  var coreOnly = false

  @Flag(help: "Few objects, two rounds: whether everything still does its work.")
  var smoke = false

  @Option(help: "Instead: so many inserts in saves of 1,000 with a reset after each.")
  var stream: Int?

  func validate() throws {
    guard sizes.allSatisfy({ $0 > 0 }) else {
      throw ValidationError("--size must be positive; got \(sizes.min() ?? 0)")
    }
    guard rounds > 0 else { throw ValidationError("--rounds must be positive; got \(rounds)") }
    if let stream, stream < 100_000 || !stream.isMultiple(of: 5000) {
      throw ValidationError("--stream must be a multiple of 5,000, from 100,000; got \(stream)")
    }
    if let csv, FileManager.default.fileExists(atPath: csv) {
      throw ValidationError("'\(csv)' exists already; remove it or name another file for --csv")
    }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "bench-core-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let stream { return print(try Stream(total: stream, folder: folder).run()) }
    var report: [Rounds] = []
    for size in smoke ? [200] : sizes {
      var round = Rounds(size: size, count: smoke ? 2 : rounds, folder: folder)
      try round.run(coreOnly ? [CoreContender.self] : Rounds.contenders)
      report.append(round)
      print(Report(rounds: [round]).table + "\n")
    }
    if let csv {
      try Report(rounds: report).csv.write(toFile: csv, atomically: true, encoding: .utf8)
    }
  }
}
