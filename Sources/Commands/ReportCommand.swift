import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML page that shows why each topology blocks.",
    usage: """
      topobench report <file.csv> ... --output <file.html>
      topobench report --baseline <file> ... --candidate <file> ... <options>
      topobench report --history <folder> --output <file.html>
      """,
    discussion: """
      Writes one HTML file without scripts or external resources. Each scenario has the answer, the \
      longest gap and blocked time of every trial, the main queue's timeline, tap waits, and exact \
      counts. Late frames, times, rows, costs over swept fields, and the machine follow. \
      Timelines come from NAME.cells/, the machine from NAME.env.json; the page says what is missing.

      With two sides, or a duet's report, the page is a comparison. With --history it draws the \
      figures of `topobench export` over the runs of a folder.

      Examples:
        topobench report mine.csv --output mine.html
        topobench report --baseline old.csv --candidate new.csv
      """)

  @Argument(help: .init("CSV files, or one of a duet; `-` is standard input.", valueName: "file"))
  var files: [String] = []
  @OptionGroup var sides: SideOptions
  @Option(help: .init("Folder of CSV reports, to draw figures over runs.", valueName: "dir"))
  var history: String?
  @Option(help: .init("HTML file to write; `-` for standard output.", valueName: "file"))
  var output = "report.html"
  @Flag(help: "Overwrite an existing page.") var force = false

  func run() throws {
    if let history { return try writeHistory(of: history) }
    try checkFiles()
    let target = ReportOutput(path: output, force: force)
    try target.check(against: files + sides.all)
    var (page, status) = files.isEmpty ? try comparison() : try ofFiles()
    page.topologies = KnownTopologies.all.map(TopologiesList.Entry.init)
    try target.write(page.html, "the page")
    if output != "-" { Messages.say("Page: \(URL(fileURLWithPath: output).absoluteString)") }
    throw ExitCode(status)
  }

  private func writeHistory(of folder: String) throws {
    guard files.isEmpty, sides.all.isEmpty else {
      throw UsageError("--history: not with files or sides; the folder has the reports")
    }
    let reports = try Self.reports(in: folder)
    let target = ReportOutput(path: output, force: force)
    try target.check(against: reports)
    let runs = RunMedians.all(of: try ReportReader.rows(of: reports))
    guard !runs.isEmpty else { throw UsageError("--history: no cell in '\(folder)' ended ok") }
    try target.write(HistoryPage(runs).html, "the page")
    if output != "-" { Messages.say("Page: \(URL(fileURLWithPath: output).absoluteString)") }
  }

  private static func reports(in folder: String) throws(UsageError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".csv") }.sorted()
        .map { URL(fileURLWithPath: folder).appendingPathComponent($0).path }
    } catch {
      throw UsageError("--history: cannot read '\(folder)': \(FileError.reason(error))")
    }
  }

  private func ofFiles() throws -> (ReportPage, ExitStatus) {
    let cells = try ReportReader.rows(of: files)
    guard cells.allSatisfy({ $0.duet != nil }) else {
      return (ReportPage(PageSide(cells, of: files)), .done)
    }
    let sides = Side.allCases.map { side in cells.filter { $0.duet?.side == side } }
    return Self.compared((sides[0], files), (sides[1], files))
  }

  private func comparison() throws -> (ReportPage, ExitStatus) {
    let (before, after) = try ComparedReports.both(
      baseline: ComparedReports.read(.baseline) { try ReportReader.rows(of: sides.baseline) },
      candidate: ComparedReports.read(.candidate) { try ReportReader.rows(of: sides.candidate) })
    return Self.compared((before, sides.baseline), (after, sides.candidate))
  }

  private typealias Reports = (cells: [CellResult], files: [String])

  private static func compared(
    _ baseline: Reports, _ candidate: Reports
  ) -> (ReportPage, ExitStatus) {
    let sides = [baseline, candidate].map {
      PageSide($0.cells, of: $0.files, joinsStores: false)
    }
    let comparison = Comparison(
      Matching(
        baseline: SideCells(sides[0].summary.cells), candidate: SideCells(sides[1].summary.cells)),
      baselineFiles: sides[0].files.map { $0.name }, candidateFiles: sides[1].files.map { $0.name },
      diagnoses: MachineDifferences.diagnoses(
        baseline: MachineEnvironment.readings(besides: baseline.files),
        candidate: MachineEnvironment.readings(besides: candidate.files)))
    let page = ReportPage(baseline: sides[0], candidate: sides[1], comparison: comparison)
    return (page, .of(comparison))
  }

  private func checkFiles() throws {
    guard files.isEmpty || sides.all.isEmpty else {
      throw UsageError(
        "report: name files, or those of two sides by --baseline and --candidate; not both")
    }
    guard !files.isEmpty || sides.areWhole else {
      let missing = sides.all.isEmpty ? "" : ": a side has none"
      throw UsageError(
        "report: name the reports to show\(missing), such as: topobench report results/mine.csv")
    }
    try sides.requireOneStandardInput(for: "report", besides: files)
  }
}

extension PageSide {
  fileprivate init(_ cells: [CellResult], of files: [String], joinsStores: Bool = true) {
    let named = files.map { file in
      (
        name: file == "-" ? "standard input" : URL(fileURLWithPath: file).lastPathComponent,
        environment: file == "-"
          ? nil : try? Data(contentsOf: ResultsFile.environment(of: URL(fileURLWithPath: file)))
      )
    }
    let environments = named.compactMap { $0.environment }.compactMap {
      try? JSONDecoder().decode(MachineEnvironment.self, from: $0)
    }
    self.init(
      files: named, cells: cells, context: RunContext(environments),
      questions: environments.reduce(into: [:]) { all, one in
        all.merge(one.questions) { first, _ in first }
      }, joinsStores: joinsStores)
    for cell in shownCells { timelines[CellKey(cell)] = Self.timeline(of: cell, files) }
  }

  private static func timeline(of cell: CellResult, _ files: [String]) -> Timeline {
    do {
      return .known(try CellDocuments.medianRepeat(of: cell, besides: files))
    } catch {
      return .unknown("\(error)")
    }
  }
}
