import ArgumentParser
import CInterleaving
import Foundation
import Queues
import SoakSupport
import Support

@main struct InterleavingSoak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interleaving-soak",
    abstract: "Runs the threads of stories one at a time, in orders that a seed draws.")

  @Option(help: "How many schedules of each story.") var schedules = 1000
  @OptionGroup var soak: SoakOptions
  @Option(help: "Stories whose names contain this; all if not given.") var stories = ""
  @Option(help: "One story, in this process.") var story: String?
  @Option(help: "The depth of the bugs to look for; 1 to 3 in turn if not given.") var depth: Int?
  @Option(help: "The one schedule to run, as a failure prints it.") var schedule: String?
  @Flag(help: "Visit every schedule of the small stories instead.") var exhaustive = false
  @Option(help: "With --exhaustive: how often a thread is stopped that could go on.")
  var preemptions = 2
  @Flag(
    name: .customLong("confident"),
    help: "As many schedules as find a bug of the depth in 99 of 100 cases.")
  var isConfident = false
  @Flag(help: "Look for the planted bugs. Needs a build with the trait PlantedBugs.")
  var planted = false
  @Flag(help: "Print each schedule.") var echo = false
  @Flag(help: "Only print the stories' names.") var list = false

  private var chosen: [Story] {
    if let story { return (Story.all + Story.faulty).filter { $0.name == story } }
    return Story.all.filter {
      (!exhaustive || $0.isSmall) && (stories.isEmpty || $0.name.contains(stories))
    }
  }

  func validate() throws {
    guard (1...9).contains(depth ?? 1) else {
      throw ValidationError("--depth: must be from 1 to 9")
    }
  }

  func run() throws {
    let chosen = chosen
    if list { return print(chosen.map(\.name).joined(separator: "\n")) }
    if planted { return try findPlantedBugs() }
    guard let first = chosen.first else { throw ValidationError("no story has such a name") }
    guard story != nil else { return try runEach(chosen) }
    cinterleaving_make_repeatable(CommandLine.unsafeArgv)
    defer { SmallStore.folder.remove() }
    try runOne(first)
  }
}
