//! Reads a CSV report and judges it: `judge-a-report report.csv container root-hybrid`.
//!
//! `topobench compare` judges better, also sides of two reports.

import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
  print("usage: judge-a-report REPORT.csv TOPOLOGY TOPOLOGY")
  exit(64)
}
let lines = try String(contentsOfFile: arguments[1], encoding: .utf8).split(separator: "\n")
let header = lines.first.map(fields) ?? []

/// The longest gaps of a topology's trials, by trial, in ms. Columns are found by their names:
/// later versions add columns. Only rows with the status `ok` have values.
func longestGaps(of topology: String) -> [String: Double] {
  var gaps: [String: Double] = [:]
  for line in lines.dropFirst() {
    let row = Dictionary(zip(header, fields(line)), uniquingKeysWith: { first, _ in first })
    guard row["status"] == "ok", row["topology"] == topology, let trial = row["trial"] else {
      continue
    }
    gaps[trial] = row["main_longest_gap_ms"].flatMap(Double.init)
  }
  return gaps
}

/// Commas between quotation marks belong to the text.
func fields(_ line: Substring) -> [String] {
  var fields = [""]
  var isQuoted = false
  for character in line {
    switch character {
    case "\"": isQuoted.toggle()
    case "," where !isQuoted: fields.append("")
    default: fields[fields.count - 1].append(character)
    }
  }
  return fields
}

let (first, second) = (longestGaps(of: arguments[2]), longestGaps(of: arguments[3]))
let pairs = first.compactMap { trial, gap in second[trial].map { (gap, $0) } }
let wins = pairs.count { $0 < $1 }
print("\(arguments[2]) has the shorter longest gap in \(wins) of \(pairs.count) trials")

// Sign test, two-sided: how often fair coins are this one-sided.
let fewer = min(wins, pairs.count - wins)
var (ways, sum) = (1.0, 0.0)
for heads in 0...fewer {
  sum += ways
  ways *= Double(pairs.count - heads) / Double(heads + 1)
}
let chance = min(1, 2 * sum / pow(2, Double(pairs.count)))
print(chance < 0.05 ? "they differ" : "inconclusive", "(p = \(chance))")

// Prints, if `container` has the shorter gap in all of eight trials:
// container has the shorter longest gap in 8 of 8 trials
// they differ (p = 0.0078125)
