import ArgumentParser
import Commands
import Foundation
import Harness
import Judging
import Measurement
import Reports
import SQLiteStore
import Workload

struct SensitivityCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensitivity",
    abstract: "Say at which price ratios the order of topologies turns.",
    discussion: """
      Runs one cell a topology at the scenario's prices and counts the events on main. Computes at \
      which price of each event, from 1/100 to 100 times a push-up's, the order of two topologies \
      turns. Then runs cells on both sides of up to five turns and says whether main_blocked_ms \
      turned.

      The prices are those of `costs` or of a device profile. A scenario without prices gets the \
      storage core's own costs, a hundred times.

      Examples:
        scripts/lab sensitivity --scenario 5000-cities
        scripts/lab sensitivity --scenario 5000-cities --set device=iphone-6-2018
      """)

  @OptionGroup var targets: TargetOptions
  @Flag(help: "Use the scenario's small size, for tests.") var smoke = false
  @Flag(help: "Run no cells on both sides of the turns.") var noConfirm = false
  @OptionGroup var storage: DiskOption
  @OptionGroup var limit: TimeLimitOption
  @Option(help: "Format of the answer.")
  var format: SensitivityAnswer.Format = .table
  @OptionGroup var messages: MessageOptions

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    let runs = try targets.scenarioRequest(smoke ? .smoke : .full).load()
    try requireChanges(runs.map(\.scenario))
    guard runs.count == 1 else {
      throw UsageError("sensitivity: name one scenario, without a swept field")
    }
    let variants = try targets.variants(runs, targets.resolvedTopologies())
    guard Set(variants.map(\.topology)).count == variants.count, variants.count > 1 else {
      throw UsageError("sensitivity: name two topologies or more, and one store mode")
    }
    let prices = try ScenarioPrices(runs[0].scenario)
    let folder = try storage.makeFolder()
    defer { RunFolder.remove(folder) }
    let process = CellProcess(
      executable: Executable.path, timeLimit: limit.duration, interrupts: interrupts)
    let (answer, results) = try await ProgressDisplay.show(if: messages.showsProgress) { display in
      var cells = PricedCells(
        targets: targets, size: smoke ? .smoke : .full, folder: folder, process: process,
        display: display)
      let answer = try await measure(variants, runs[0].scenario, prices, &cells)
      return (answer, cells.results)
    }
    if answer.topologies.count > 1 {
      try StandardOutput().write(
        SensitivityAnswer.render(answer, as: format, style: .standardOutput))
    }
    throw ExitCode(.of(results, isInterrupted: interrupts.isInterrupted))
  }

  /// Main's priced events are those of the window, so they say nothing of the other phases.
  private func requireChanges(_ scenarios: [Scenario]) throws {
    guard let other = scenarios.first(where: { $0.asksAbout != .change }) else { return }
    throw other.error(
      "asks_about",
      message: "sensitivity prices the window of changes; name a scenario that asks about it, or"
        + " give --set asks_about=change")
  }

  private func measure(
    _ variants: [Variant], _ scenario: Scenario, _ prices: ScenarioPrices,
    _ cells: inout PricedCells
  ) async throws -> Sensitivity {
    say("Counting events of \(variants.count) topologies …", cells)
    cells.plan(variants)
    var counts: [Sensitivity.ChargedTopology] = []
    for variant in variants {
      if let counted = try await cells.count(variant, at: prices.us) { counts.append(counted) }
    }
    var answer = Sensitivity(
      scenario: scenario.name, source: prices.source, pricesUs: prices.us, counts: counts)
    if !noConfirm { try await confirm(&answer, variants, &cells) }
    answer.badCells = cells.results.count { $0.status != .ok }
    return answer
  }

  private func say(_ text: String, _ cells: PricedCells) {
    if !messages.quiet { cells.display.say(text) }
  }

  private func confirm(
    _ answer: inout Sensitivity, _ variants: [Variant], _ cells: inout PricedCells
  ) async throws {
    let checked = answer.turns.indices.prefix(Sensitivity.mostChecks)
    guard !checked.isEmpty else { return }
    let pairs = checked.map { index in
      [answer.turns[index].overtaking, answer.turns[index].overtaken].compactMap { name in
        variants.first { $0.topology == name }
      }
    }
    say("Running \(4 * checked.count) cells on both sides of the turns …", cells)
    cells.plan(pairs.flatMap { $0 + $0 })
    for (index, pair) in zip(checked, pairs) {
      let turn = answer.turns[index]
      var sides: [Sensitivity.Check.Pair] = []
      for ratio in [turn.sides.lower, turn.sides.upper] {
        let prices = answer.pricesUs(turn.event, at: ratio)
        guard let overtaking = try await cells.count(pair[0], at: prices)?.blocked,
          let overtaken = try await cells.count(pair[1], at: prices)?.blocked
        else { break }
        sides.append(Sensitivity.Check.Pair(overtaking: overtaking, overtaken: overtaken))
      }
      if sides.count == 2 {
        answer.turns[index].check = Sensitivity.Check(lower: sides[0], upper: sides[1])
      }
    }
  }
}

/// In microseconds.
private struct ScenarioPrices {
  let us: [String: Double]
  let source: String

  /// - Throws: `UsageError` if a push-up is free.
  init(_ scenario: Scenario) throws(UsageError) {
    let costs = scenario.costs
    guard !costs.prices.isEmpty else {
      us = Sensitivity.corePricesUs
      source = Sensitivity.coreSource
      return
    }
    us = costs.prices.mapValues { $0 / .microseconds(1) }
    source = costs.device.map { "the device profile '\($0)'" } ?? "`costs`"
    guard us[Sensitivity.reference] != nil else {
      throw UsageError(
        "costs.push_up_us is 0, but ratios are relative to a push-up; set it to a price above 0")
    }
  }
}

private struct PricedCells {
  let targets: TargetOptions
  let size: ScenarioSize
  let folder: URL
  let process: CellProcess
  let display: ProgressDisplay
  private(set) var results: [CellResult] = []

  func plan(_ variants: [Variant]) { display.planned(variants.map(key), finished: []) }

  /// A topology's cells take about the same time at all prices.
  private func key(of variant: Variant) -> CellKey {
    CellKey(scenario: "", topology: variant.topology, store: variant.store.rawValue)
  }

  /// - Returns: the events on main; nil after an interrupt, or if the cell failed.
  mutating func count(
    _ variant: Variant, at pricesUs: [String: Double]
  ) async throws -> Sensitivity.ChargedTopology? {
    var request = targets.scenarioRequest(size)
    request.set.removeAll { $0.hasPrefix("costs.") || $0.hasPrefix("repeat_for_ms=") }
    request.set += ["repeat_for_ms=0"]
    request.set += Scenario.Costs.events.map { "costs.\($0)_us=\(min(pricesUs[$0] ?? 0, 1e6))" }
    guard let run = try request.load().first,
      let cell = Plan(variants: [variant], trials: 1, seed: targets.seed).cells.first
    else { return nil }
    var line = CellSpecification(planned: cell, of: run, runID: "sensitivity", seed: targets.seed)
    line.folder = folder.appendingPathComponent("cell", isDirectory: true).path
    if run.scenario.store.age > 0 { line.templates = folder.path }
    display.began(key(of: variant))
    guard let document = try await process.run(line) else { return nil }
    display.ended(key(of: variant), as: document.result)
    results.append(document.result)
    guard [.ok, .suspect].contains(document.result.status),
      let events = document.windows.first?.mainEvents
    else {
      display.say("\(variant.topology): \(document.result.status): \(document.result.error)")
      return nil
    }
    return Sensitivity.ChargedTopology(
      variant.topology, main: events, blocked: document.result.metrics[.mainBlocked])
  }
}
