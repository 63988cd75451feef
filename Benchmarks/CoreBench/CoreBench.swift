import ArgumentParser
import Foundation

@main
struct CoreBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-core",
    abstract: "Measures the storage core against SQLite's C API and GRDB, in one process.")

  @Option(name: .customLong("size"), help: "The number of objects. Repeatable.")
  var sizes: [Int] = [5000, 100_000]

  @Option(help: "The number of rounds; figures are medians. Fewer than 7 from 1,000,000 objects.")
  var rounds = 7

  @Option(help: "A CSV file with one row for each round.")
  var csv: String?

  @Flag(help: "Measure processor time instead of elapsed time, for busy machines.")
  var cpuTime = false

  @Flag(help: "Run the core only, for profilers.")
  var coreOnly = false

  @Flag(help: "Check that everything works, with few objects and two rounds.")
  var smoke = false

  @Option(help: "Instead, insert this many objects in saves of 1,000, with a reset after each.")
  var stream: Int?

  @Flag(
    help: "Instead, make 500 changes beside 1,000 to 1,000,000 rows, and print each cost's slope.")
  var scaling = false

  @Option(help: "Instead, run one step for a profiler that counts instructions.")
  var growth: Growth?

  func validate() throws {
    guard sizes.allSatisfy({ $0 > 0 }) else {
      throw ValidationError("--size must be positive; got \(sizes.min() ?? 0)")
    }
    guard Set(sizes).count == sizes.count else {
      throw ValidationError(
        "--size names \(sizes.map(String.init).joined(separator: ", ")); each once")
    }
    // A million objects take minutes in each round.
    let least = coreOnly || sizes.allSatisfy { $0 >= 1_000_000 } ? 1 : 7
    guard rounds >= least else {
      throw ValidationError("--rounds must be \(least) or more; got \(rounds)")
    }
    if let stream {
      guard stream >= 100_000, stream.isMultiple(of: Stream.window) else {
        throw ValidationError("--stream must be a multiple of 5,000, from 100,000; got \(stream)")
      }
      guard csv == nil, !smoke, !coreOnly, !cpuTime else {
        throw ValidationError(
          "--stream prints one line; leave --csv, --smoke, --core-only and --cpu-time out")
      }
    }
    guard growth == nil || (sizes.count == 1 && !smoke && !scaling && stream == nil) else {
      throw ValidationError("--growth takes one --size, and no other option")
    }
    guard !scaling || (csv == nil && stream == nil && !coreOnly && !cpuTime) else {
      throw ValidationError(
        "--scaling prints one table; leave --csv, --stream, --core-only and --cpu-time out")
    }
    try csv.map(validate(file:))
  }

  private func validate(file: String) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .path(percentEncoded: false)
    if FileManager.default.fileExists(atPath: file) {
      throw ValidationError("'\(file)' exists already; remove it or name another file for --csv")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw ValidationError(
        "'\(folder)' is no folder to write into; make it or name another file for --csv")
    }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "bench-core-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let growth { return try growth.run(sizes[0], in: folder) }
    if scaling {
      let sizes = smoke ? [500, 1000] : [1000, 10_000, 100_000, 1_000_000]
      return print(try Scaling(sizes: sizes, rounds: smoke ? 2 : rounds, folder: folder).run())
    }
    if let stream { return print(try Stream(total: stream, folder: folder).run()) }
    if smoke { print(try Stream(total: 1000, perSave: 10, window: 50, folder: folder).run()) }
    var report: [Rounds] = []
    for size in smoke ? [200] : sizes {
      var round = Rounds(
        size: size, count: smoke ? 2 : rounds, folder: folder,
        clock: StepClock(countsProcessorTime: cpuTime))
      try round.run(coreOnly ? [CoreContender.self] : Rounds.contenders)
      report.append(round)
      print(Report(rounds: [round]).table + "\n")
    }
    if let csv {
      try Report(rounds: report).csv.write(toFile: csv, atomically: true, encoding: .utf8)
    }
  }
}
