package import Judging
import Measurement

package enum DoctorAnswer {
  package typealias Format = OutputFormat<JSONFormat>

  package static func render(
    _ report: DoctorReport, as format: Format, style: TextStyle
  ) throws -> String {
    switch format {
    case .document(let format): format.render(document(report), style)
    case .data(.json): try json(report)
    }
  }

  static func document(_ report: DoctorReport) -> Document {
    let table = Table(report.checks, columns, isEmphasised: \.isDoubtful)
    return Document(
      blocks: [.table(table), .paragraph(conclusion(report), .answer)]
        + noise(report).map { .paragraph($0) })
  }

  private static let columns: [ValueColumn<MachineCheck>] = [
    .leading("what") { $0.subject },
    ValueColumn("reading", "", .words) { $0.shownReading },
    ValueColumn("", "", .label) { $0.state },
    ValueColumn("remedy", "", .sentence, stays: true) { $0.diagnosis?.remedy ?? "" },
  ]

  package static let jsonSchema = "topobench-doctor/2"

  package static func json(_ report: DoctorReport) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: conclusion(report), notes: noise(report), value: report
    ).text()
  }
}

// MARK: - Sentences

extension DoctorAnswer {
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
      : ["\(Figures.counted(report.badCells, "cell")) of the noise measurement did not end ok."]
    guard let noise = report.noise, let outlook = report.outlook else {
      return bad + [report.noiseSeconds].compactMap { $0.map(tooShort) }
    }
    return bad + [measured(noise, keptAwake: report.keepsAwake), seen(outlook)]
  }

  private static func measured(_ noise: MachineNoise, keptAwake: Bool) -> String {
    "Noise of \(noise.scenario)\(keptAwake ? ", processors kept awake" : ""): main_blocked_ms of two cells of the same build, one right after the"
      + " other, differs by \(Figures.percent(noise.scatter)) (standard deviation of"
      + " \(Figures.counted(noise.pairs, "pair")) over \(noise.topologies.listed)). A pair takes"
      + " \(Figures.short(noise.secondsPerPair)) s."
  }

  private static func tooShort(_ seconds: Double) -> String {
    "Too few sound pairs in \(length(seconds)) to estimate the noise; name more --seconds."
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
    return "Detectable here, fresh pairs included: \(minute); 10 % is found \(ten)."
  }

  private static func price(_ price: DuetOutlook.Price) -> String {
    let topologies = "\(price.topologies) \(price.topologies == 1 ? "topology" : "topologies")"
    return "\(Int((100 * price.found).rounded(.down))) times in 100 over \(topologies), nearly"
      + " always within \(length(price.seconds)) (\(Figures.counted(price.pairs, "pair")) each)"
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
