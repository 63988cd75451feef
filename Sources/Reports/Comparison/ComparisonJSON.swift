import Foundation
package import Judging
import Measurement

// The JSON form of a comparison. Version 1; members may be added, none is renamed or taken away.
//
//   schema                "topobench-comparison/1"
//   conclusion            text
//   pairing               "paired" or "unpaired"
//   same_machine          true or false; left out where a side does not say
//   baseline, candidate   files[], labels[], revisions[], hosts[], cells, cells_ok
//   sections[]            one for each scenario, parameters and store mode
//     scenario, scenario_digest, parameters, store     as in the CSV file
//     topologies[]        topology, trials, metrics[]
//       metric, unit, verdict                          better, worse, same, cannot tell, differs
//       baseline, candidate                            median, trials; from six trials lower, upper
//       change            scale (ratio, difference or count), estimate, lower, upper
//       adjusted_p        left out of counts
//       needed_trials     where more trials would settle it
//   not_compared
//     other_digests[]     scenario, parameters, baseline[], candidate[]
//     baseline_only[], candidate_only[]    scenario, …, store, topology, cells
//     unmeasured[]        scenario, …, topology, side, metrics[]
//     failed[]            scenario, …, topology, side, status, cells, error
//   notes[]               text, each with its remedy

extension ComparisonReport {
  package static let jsonSchema = "topobench-comparison/1"

  package static func json(_ comparison: Comparison) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(JSONForm(comparison)), as: UTF8.self) + "\n"
    } catch {
      // Only numbers that are not finite could fail, and comparisons hold none.
      preconditionFailure("a comparison that JSON cannot hold: \(error)")
    }
  }
}

private struct JSONForm: Encodable {
  let schema = ComparisonReport.jsonSchema
  let conclusion: String
  let pairing: Pairing
  let sameMachine: Bool?
  let baseline: Report
  let candidate: Report
  let sections: [Section]
  let notCompared: NotCompared
  let notes: [String]

  init(_ comparison: Comparison) {
    conclusion = ComparisonSentences.conclusion(comparison)
    pairing = comparison.pairing
    sameMachine = comparison.machines == .unknown ? nil : comparison.machines == .same
    baseline = Report(comparison.baseline)
    candidate = Report(comparison.candidate)
    sections = comparison.sections.map(Section.init)
    notCompared = NotCompared(comparison)
    notes = ComparisonSentences.notes(comparison)
  }

  enum CodingKeys: String, CodingKey {
    case schema, conclusion, pairing, baseline, candidate, sections, notes
    case sameMachine = "same_machine"
    case notCompared = "not_compared"
  }

  struct Report: Encodable {
    let files: [String]
    let labels: [String]
    let revisions: [String]
    let hosts: [String]
    let cells: Int
    let okCells: Int

    init(_ report: Comparison.Report) {
      files = report.files
      labels = report.labels
      revisions = report.revisions
      hosts = report.hosts
      cells = report.cells
      okCells = report.okCells
    }

    enum CodingKeys: String, CodingKey {
      case files, labels, revisions, hosts, cells
      case okCells = "cells_ok"
    }
  }

  struct Section: Encodable {
    let scenario: String
    let scenarioDigest: String
    let parameters: String
    let store: String
    let topologies: [Topology]

    init(_ section: Comparison.Section) {
      scenario = section.scenario
      scenarioDigest = section.scenarioDigest
      parameters = section.parameters
      store = section.store
      topologies = section.topologies.map { topology in
        Topology(
          topology: topology.name, trials: topology.trials, metrics: topology.rows.map(Row.init))
      }
    }

    enum CodingKeys: String, CodingKey {
      case scenario, parameters, store, topologies
      case scenarioDigest = "scenario_digest"
    }
  }

  struct Topology: Encodable {
    let topology: String
    let trials: Int
    let metrics: [Row]
  }

  struct Row: Encodable {
    let metric: String
    let unit: String
    let verdict: String
    let baseline: JudgedSideJSON
    let candidate: JudgedSideJSON
    let change: ComparisonChange
    let adjustedP: Double?
    let neededTrials: Int?

    init(_ row: Comparison.Row) {
      metric = row.metric.name
      unit = row.metric.unit
      verdict = row.word
      baseline = JudgedSideJSON(row.baseline)
      candidate = JudgedSideJSON(row.candidate)
      change = ComparisonChange(row)
      adjustedP = row.adjustedP
      neededTrials = row.neededTrials
    }

    enum CodingKeys: String, CodingKey {
      case metric, unit, verdict, baseline, candidate, change
      case adjustedP = "adjusted_p"
      case neededTrials = "needed_trials"
    }
  }

  struct NotCompared: Encodable {
    let otherDigests: [OtherDigest]
    let baselineOnly: [Cells]
    let candidateOnly: [Cells]
    let unmeasured: [Cells]
    let failed: [Cells]

    init(_ comparison: Comparison) {
      otherDigests = comparison.otherDigests.map(OtherDigest.init)
      baselineOnly = comparison.baselineOnly.map { Cells($0.key, cells: $0.cells) }
      candidateOnly = comparison.candidateOnly.map { Cells($0.key, cells: $0.cells) }
      unmeasured = comparison.unmeasured.map {
        Cells($0.key, side: $0.role, metrics: $0.metrics)
      }
      failed = comparison.failed.map {
        Cells(
          $0.key, side: $0.role, cells: $0.failure.cells, status: $0.failure.status,
          error: $0.failure.error)
      }
    }

    enum CodingKeys: String, CodingKey {
      case unmeasured, failed
      case otherDigests = "other_digests"
      case baselineOnly = "baseline_only"
      case candidateOnly = "candidate_only"
    }
  }

  struct OtherDigest: Encodable {
    let scenario: String
    let parameters: String
    let baseline: [String]
    let candidate: [String]

    init(_ other: Matching.OtherDigest) {
      scenario = other.setting.scenario
      parameters = other.setting.parameters
      baseline = other.baseline
      candidate = other.candidate
    }
  }

  struct Cells: Encodable {
    let scenario: String
    let scenarioDigest: String
    let parameters: String
    let store: String
    let topology: String
    let side: Comparison.Role?
    let cells: Int?
    let metrics: [String]?
    let status: CellStatus?
    let error: String?

    init(
      _ key: CellKey, side: Comparison.Role? = nil, cells: Int? = nil, metrics: [String]? = nil,
      status: CellStatus? = nil, error: String? = nil
    ) {
      scenario = key.scenario
      scenarioDigest = key.digest
      parameters = key.parameters
      store = key.store
      topology = key.topology
      self.side = side
      self.cells = cells
      self.metrics = metrics
      self.status = status
      self.error = error
    }

    enum CodingKeys: String, CodingKey {
      case scenario, parameters, store, topology, side, cells, metrics, status, error
      case scenarioDigest = "scenario_digest"
    }
  }
}
