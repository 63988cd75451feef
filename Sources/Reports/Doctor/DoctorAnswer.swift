import Foundation
package import Judging
import Measurement

/// What the doctor says, as text: both formats are made from one report.
package enum DoctorAnswer {
  package enum Format: String, Sendable, CaseIterable {
    case table, json
  }

  /// - Parameter style: for `table` only.
  package static func render(
    _ report: DoctorReport, as format: Format, style: TextStyle
  ) -> String {
    switch format {
    case .table: text(report, style: style)
    case .json: json(report)
    }
  }
}

// MARK: - Text

extension DoctorAnswer {
  /// A table of what was looked at, and sentences about what can be seen here.
  package static func text(_ report: DoctorReport, style: TextStyle) -> String {
    var lines = table(report.checks, style)
    for sentence in [conclusion(report)] + noise(report) {
      lines += [""] + style.printable(sentence).wrapped(to: min(style.width ?? 100, 100))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Remedies go on in the lines below where they are long.
  private static func table(_ checks: [MachineCheck], _ style: TextStyle) -> [String] {
    let used = [\MachineCheck.subject, \.shownReading, \.state].reduce(0) { width, text in
      width + (checks.map { $0[keyPath: text].columns }.max() ?? 0) + 2
    }
    let room = max(30, min(style.width ?? 100, 100) - used)
    var cells: [[String]] = [[], [], [], []]
    var doubtful: Set<Int> = []
    for check in checks {
      let remedy = style.printable(check.diagnosis?.remedy ?? "").wrapped(to: room)
      if check.isDoubtful { doubtful.insert(cells[0].count) }
      for (place, line) in remedy.enumerated() {
        let texts = [check.subject, check.shownReading, check.state]
        for column in 0..<3 { cells[column].append(place == 0 ? texts[column] : "") }
        cells[3].append(line)
      }
    }
    let headings = ["what", "reading", "", "remedy"]
    let columns = zip(headings, cells).map { heading, cells in
      TextTable.Column(
        heading: heading, cells: cells.map { style.printable($0) }, isNumeric: false,
        staysWithPrevious: true)
    }
    return TextTable(leading: [columns[0]], columns: Array(columns[1...]), emphasisedRows: doubtful)
      .lines(style: style)
  }

  static func conclusion(_ report: DoctorReport) -> String {
    let doubtful = report.checks.filter(\.isDoubtful).map(\.subject)
    return doubtful.isEmpty
      ? "Nothing that was looked at makes results here doubtful."
      : "What makes results here doubtful: \(doubtful.listed)."
  }

  static func noise(_ report: DoctorReport) -> [String] {
    let bad =
      report.badCells == 0
      ? []
      : ["\(Sentences.counted(report.badCells, "cell")) of the noise measurement did not end ok."]
    guard let noise = report.noise, let outlook = report.outlook else { return bad }
    return bad + [measured(noise, keptAwake: report.keepsAwake), seen(outlook)]
  }

  private static func measured(_ noise: MachineNoise, keptAwake: Bool) -> String {
    "Noise of \(noise.scenario)\(keptAwake ? ", processors kept awake" : ""): main_blocked_ms of two cells of the same build, one right after the"
      + " other, differs by \(Figures.percent(noise.scatter)) (standard deviation of"
      + " \(Sentences.counted(noise.pairs, "pair")) over \(noise.topologies.listed)). A pair takes"
      + " \(Figures.short(noise.secondsPerPair)) s."
  }

  private static func length(_ seconds: Double) -> String {
    seconds < 120
      ? "\(Figures.whole(Int(seconds.rounded(.up)))) s"
      : "\(Figures.whole(Int((seconds / 60).rounded(.up)))) min"
  }

  private static func seen(_ outlook: DuetOutlook) -> String {
    let minute =
      outlook.smallestInOneMinute.map {
        "in one minute, a duet over one topology finds a regression of \(Figures.percent($0)) or more"
          + " 95 times in 100"
      } ?? "one minute is too short for a duet here"
    let prices = outlook.tenPercent.map(price)
    let ten = prices.isEmpty ? "less than half of the time" : prices.listed
    return "What can be seen here, fresh pairs included: \(minute); 10 % is found \(ten)."
  }

  private static func price(_ price: DuetOutlook.Price) -> String {
    "\(Int((100 * price.found).rounded(.down))) times in 100 over"
      + " \(Sentences.counted(price.topologies, "topology").plural), nearly always within"
      + " \(length(price.seconds)) (\(Sentences.counted(price.pairs, "pair")) each)"
  }
}

extension MachineCheck {
  fileprivate var shownReading: String { reading ?? "unavailable" }

  fileprivate var state: String {
    guard reading != nil else { return "unavailable" }
    guard diagnosis != nil else { return "fine" }
    return isDoubtful ? "doubtful" : "noted"
  }
}

extension String {
  fileprivate var plural: String { hasSuffix("ologys") ? String(dropLast(2)) + "ies" : self }
}

// MARK: - JSON

// The JSON form. Version 2; members may be added, none is renamed or taken away.
//
//   schema            "topobench-doctor/2"
//   checks[]          subject, reading, diagnosis { what, evidence, remedy, grade }; the latter two
//                     left out where there are none
//   noise             left out where it was not measured
//     scenario, topologies[], pairs, scatter, seconds_per_pair
//     smallest_in_one_minute      a share; left out where a minute is too short
//     ten_percent[]               topologies, pairs, seconds, found
//   processors_kept_awake         whether they were while noise was measured

extension DoctorAnswer {
  package static let jsonSchema = "topobench-doctor/2"

  package static func json(_ report: DoctorReport) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      let document = DoctorJSON(
        checks: report.checks, noise: NoiseJSON(report),
        keepsAwake: report.keepsAwake)
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      // Only numbers that are not finite could fail, and a scatter is none.
      preconditionFailure("a finding that JSON cannot hold: \(error)")
    }
  }
}

private struct DoctorJSON: Encodable {
  let schema = DoctorAnswer.jsonSchema
  let checks: [MachineCheck]
  let noise: NoiseJSON?
  let keepsAwake: Bool

  enum CodingKeys: String, CodingKey {
    case schema, checks, noise
    case keepsAwake = "processors_kept_awake"
  }
}

private struct NoiseJSON: Encodable {
  let noise: MachineNoise
  let outlook: DuetOutlook

  init?(_ report: DoctorReport) {
    guard let noise = report.noise, let outlook = report.outlook else { return nil }
    (self.noise, self.outlook) = (noise, outlook)
  }

  func encode(to encoder: any Encoder) throws {
    try noise.encode(to: encoder)
    try outlook.encode(to: encoder)
  }
}
