import ArgumentParser
import Foundation
import Harness
import Reports
import Support
import Workload

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure topologies in a scenario, and show which keeps main free.",
    discussion: """
      Each cell (scenario × topology × store × trial) runs in its own process. Its row is written \
      before the next cell starts. The answer goes to standard output, messages to standard error. \
      Ctrl-C keeps the finished cells.

      Examples:
        topobench --scenario 5000-cities
        topobench --scenario 5000-cities --topology all --output all.csv
        topobench --scenario 5000-cities --count --output counts.csv
      """)

  @OptionGroup var options: RunOptions

  func run() async throws {
    let counts = options.counts
    if counts.parts, !counts.count {
      throw UsageError("--parts: counts parts of the instructions; give --count too")
    }
    try await options.run(counting: counts.count ? counts.slices : nil)
  }
}

extension RunOptions {
  /// - Parameter parts: the slices to count by themselves, too; nil to measure times.
  func run(counting parts: [String]?) async throws {
    guard parts == nil || !files.record else {
      throw UsageError("--record: not when instructions are counted; a counted cell has no times")
    }
    let interrupts = Interrupts()
    interrupts.listen()
    let prepared = try PreparedRun(self, counting: parts)
    defer { prepared.clean() }
    let cells = try await awake.whileAwake { try await prepared.measure(interrupts) }
    let summary = try prepared.answer(cells)
    throw ExitCode(.of(summary, isInterrupted: interrupts.isInterrupted))
  }
}

struct RunOptions: ParsableArguments {
  /// Words without an option, which have no meaning.
  @Argument(help: .hidden) var words: [String] = []
  @OptionGroup(title: "What is measured") var work: WorkOptions
  @OptionGroup(title: "How it is measured") var cells: CellOptions
  @OptionGroup(title: "How it is measured") var awake: AwakeOptions
  @OptionGroup(title: "How it is measured") var counts: CountOptions
  @OptionGroup(title: "Where it goes") var files: FileOptions

  @Option(help: "Format of the answer.")
  var format: Answer.Format = .table
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var output: MessageOptions

  func validate() throws {
    if let word = words.first { throw Self.refusal(of: word) }
    try RowsOutput.requireRoom(on: files.output, format: format, isRecorded: files.record)
    guard files.resume else { return }
    if files.force {
      throw UsageError("--resume keeps the rows that --force overwrites; give one of them")
    }
    if files.output == nil || files.output == "-" {
      throw UsageError("--resume: name the interrupted run's CSV file with --output")
    }
  }

  /// `word` may be a scenario or a mistyped subcommand.
  fileprivate static func refusal(of word: String) -> UsageError {
    let commands = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    if commands.contains(word) {
      return UsageError(
        "'\(word)' is a subcommand, which comes before all options; type: topobench \(word) …")
    }
    let scenarios = try? ScenarioLibrary.find(folder: nil).entries().map(\.name)
    if scenarios?.contains(word) ?? false {
      return UsageError("'\(word)' is a scenario; type: topobench --scenario \(word)")
    }
    return UsageError(
      "unknown subcommand '\(word)'.\(NearestName.hint(for: word, in: commands))"
        + " Known: \(commands.joined(separator: ", "))")
  }
}

struct FileOptions: ParsableArguments {
  @Option(
    help: .init(
      "CSV file to write; `-` for standard output, with the answer on standard error. Default:"
        + " results/<scenario>-<time>.csv.",
      valueName: "file"))
  var output: String?
  @Flag(help: "Overwrite existing files.") var force = false
  @Flag(help: "Continue the interrupted run in --output, or start it.")
  var resume = false
  @Flag(help: "Record each cell's timeline, for `topobench trace`.") var record = false
  @Option(help: .init("Keep each cell's SQLite file in this folder.", valueName: "dir"))
  var keepStores: String?
  @OptionGroup var storage: DiskOption

  /// - Throws: `UsageError` if the folder holds stores and may not be overwritten.
  func keepFolder() throws -> URL? {
    guard let keepStores else { return nil }
    let folder = URL(fileURLWithPath: keepStores, isDirectory: true)
    let names: [String]
    do {
      try FileSystem.makeFolder(at: folder)
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw UsageError(
        "--keep-stores: cannot use '\(keepStores)': \(FileError.reason(error)); name another folder"
      )
    }
    if !force, !resume, let store = names.first(where: { $0.hasSuffix(".sqlite") }) {
      throw UsageError(
        "--keep-stores: '\(keepStores)' already holds '\(store)'; name another folder, or --force")
    }
    return folder
  }
}
