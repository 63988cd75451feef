import Foundation
package import Judging
import Measurement

// The JSON form of an answer. Version 2; members may be added, none is renamed or taken away.
//
//   schema            "topobench-answer/2"
//   what_it_is_not    text
//   sections[]        one for each scenario, parameters and store mode
//     scenario, scenario_digest, parameters, store     as in the CSV file
//     objects, inserts, updates, deletes, saves        the work; left out where unknown
//     horizon_ms, trials, trials_needed
//     conclusion, defaults[]                           text
//     diagnoses[] { what, evidence, remedy, grade }
//     spread          relative, of main_blocked_ms between trials; left out below two trials
//     topologies[]    best first
//       topology, rank (left out if no cell is ok), shares_rank, longest_gap_cause
//       cells_ok, failures[] { status, cells, error }
//       ratio_to_raw_sqlite, metrics { <column>: estimate }
//     pairs[]         every two topologies
//       better, worse, rounds, ratio, difference_ms, p, adjusted_p, separated
//
//   sweeps[]          where a field took several values; left out where none did
//     scenario, store, field, measure (blocked, or blockedAndDrawing), trials, trials_needed
//     fixed { <field>: value as text }                 what else was set or swept
//     points[] { value, topologies[] { topology, median_ms, rank, shares_rank } }
//     crossovers[], unclear[]                          separated on both sides, or in medians alone
//       ahead_before, ahead_after, from, to, estimate (left out if a value is no number)
//
//   estimate          median, trials; lower, upper, coverage from six trials on

extension Answer {
  package static let jsonSchema = "topobench-answer/2"

  package static func json(_ summary: Summary) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = JSONForm(
      schema: jsonSchema, whatItIsNot: Sentences.whatItIsNot(summary),
      sections: summary.sections.map(JSONForm.Section.init),
      sweeps: summary.sweeps.isEmpty ? nil : summary.sweeps.map(SweepDocument.init))
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      // Only numbers that are not finite could fail, and summaries hold none.
      preconditionFailure("an answer that JSON cannot hold: \(error)")
    }
  }
}

private struct JSONForm: Encodable {
  let schema: String
  let whatItIsNot: String
  let sections: [Section]
  let sweeps: [SweepDocument]?

  enum CodingKeys: String, CodingKey {
    case schema, sections, sweeps
    case whatItIsNot = "what_it_is_not"
  }

  struct Section: Encodable {
    let section: SummarySection

    enum CodingKeys: String, CodingKey {
      case scenario, parameters, store, objects, inserts, updates, deletes, saves, trials
      case conclusion, defaults, diagnoses, spread, topologies, pairs
      case scenarioDigest = "scenario_digest"
      case horizon = "horizon_ms"
      case trialsNeeded = "trials_needed"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(section.scenario, forKey: .scenario)
      try container.encode(section.scenarioDigest, forKey: .scenarioDigest)
      try container.encode(section.parameters, forKey: .parameters)
      try container.encode(section.store, forKey: .store)
      try encodeWork(into: &container)
      try container.encode(section.rounds, forKey: .trials)
      try container.encode(section.trialsNeeded, forKey: .trialsNeeded)
      try container.encode(Sentences.conclusion(section), forKey: .conclusion)
      try container.encode(section.defaults, forKey: .defaults)
      try container.encode(section.diagnoses, forKey: .diagnoses)
      try container.encodeIfPresent(section.spread, forKey: .spread)
      try container.encode(section.topologies.map(Topology.init), forKey: .topologies)
      try container.encode(section.ranking.pairs.map(Pair.init), forKey: .pairs)
    }

    private func encodeWork(into container: inout KeyedEncodingContainer<CodingKeys>) throws {
      try container.encodeIfPresent(section.objects, forKey: .objects)
      try container.encodeIfPresent(section.inserts, forKey: .inserts)
      try container.encodeIfPresent(section.updates, forKey: .updates)
      try container.encodeIfPresent(section.deletes, forKey: .deletes)
      try container.encodeIfPresent(section.saves, forKey: .saves)
      try container.encodeIfPresent(section.horizon, forKey: .horizon)
    }
  }

  struct Topology: Encodable {
    let topology: String
    let rank: Int?
    let sharesRank: Bool
    let longestGapCause: String?
    let okCells: Int
    let failures: [TopologySummary.Failure]
    let ratioToRawSQLite: Figure?
    let metrics: [String: Figure]

    init(_ summary: TopologySummary) {
      topology = summary.name
      rank = summary.rank
      sharesRank = summary.isRankShared
      longestGapCause = summary.longestGapCause
      okCells = summary.okCells
      failures = summary.failures
      ratioToRawSQLite = summary.ratioToRawSQLite.map(Figure.init)
      metrics = Dictionary(
        uniqueKeysWithValues: summary.estimates.map { ($0.name, Figure($1)) })
    }

    enum CodingKeys: String, CodingKey {
      case topology, rank, failures, metrics
      case sharesRank = "shares_rank"
      case longestGapCause = "longest_gap_cause"
      case okCells = "cells_ok"
      case ratioToRawSQLite = "ratio_to_raw_sqlite"
    }
  }

  struct Figure: Encodable {
    let median: Double
    let trials: Int
    let lower: Double?
    let upper: Double?
    let coverage: Double?

    init(_ estimate: Estimate) {
      median = estimate.median
      trials = estimate.trials
      lower = estimate.interval?.lower
      upper = estimate.interval?.upper
      coverage = estimate.interval?.coverage
    }
  }

  struct Pair: Encodable {
    let pair: Ranking.Pair

    enum CodingKeys: String, CodingKey {
      case better, worse, rounds, ratio, p, separated
      case difference = "difference_ms"
      case adjustedP = "adjusted_p"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(pair.better, forKey: .better)
      try container.encode(pair.worse, forKey: .worse)
      try container.encode(pair.rounds, forKey: .rounds)
      try container.encodeIfPresent(pair.ratio, forKey: .ratio)
      try container.encode(pair.difference, forKey: .difference)
      try container.encode(pair.p, forKey: .p)
      try container.encode(pair.adjustedP, forKey: .adjustedP)
      try container.encode(pair.isSeparated, forKey: .separated)
    }
  }
}
