import ArgumentParser
import Foundation
import Harness
import Measurement
import Reports

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Export recorded cells as a trace for Perfetto.",
    usage: "topobench trace <file.csv> ... --output <trace.json> <options>",
    discussion: """
      Reads reports of runs with --record and writes a Chrome trace-event file. Open the file at \
      https://ui.perfetto.dev, which does not upload it, or in chrome://tracing. Only the phase \
      that the scenario asks about is recorded. Each cell is a process. Its time 0 is before the \
      store is opened, before the first change, or before the first page of a scroll. For each \
      topology it is the trial with the median blocked time of the phase asked about, and of that \
      the median repeat.

      Examples:
        topobench run --scenario 5000-cities --record --output mine.csv
        topobench trace mine.csv --output trace.json
      """)

  @Argument(help: .init("Reports of runs with --record.", valueName: "file"))
  var files: [String]
  @Option(help: .init("Trace file to write; `-` for standard output.", valueName: "file"))
  var output: String
  @OptionGroup var wanted: TraceChoice.Wanted
  @Flag(help: "Overwrite an existing file.") var force = false
  @Flag(help: "Print no messages.") var quiet = false

  func run() throws {
    let choice = try TraceChoice(reading: files, wanted: wanted)
    let timelines = try choice.cells.map { try $0.timeline() }
    try target.write(Trace.json(timelines), "the trace")
    if !quiet { report(choice, timelines) }
  }

  func validate() throws { try target.check(against: files) }

  private var target: ReportOutput { ReportOutput(path: output, force: force) }

  private func report(_ choice: TraceChoice, _ timelines: [RecordedTimeline]) {
    for missing in choice.notRecorded {
      Messages.say("Left out because it was not recorded: \(missing)")
    }
    for timeline in timelines where timeline.dropped > 0 {
      Messages.say(
        "\(timeline.cell.topology), trial \(timeline.cell.trial): the recording was full;"
          + " \(timeline.dropped) events are missing")
    }
    guard output != "-" else { return }
    Messages.say(
      "Trace: \(URL(fileURLWithPath: output).absoluteString)"
        + " (\(timelines.count) cell\(timelines.count == 1 ? "" : "s"));"
        + " open it at https://ui.perfetto.dev")
  }
}
