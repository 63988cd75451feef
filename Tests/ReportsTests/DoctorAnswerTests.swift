import Foundation
import Judging
import Measurement
import Reports
import Testing

@Suite struct DoctorAnswerTests {
  static let checks = [
    MachineCheck("build", "release"),
    MachineCheck("cores", "2", isDoubtful: true) { _ in
      Diagnosis(
        "a cell has more busy threads than the machine has cores",
        remedy: "use a machine with more cores; main_gap_runqueue_ms shows what it cost")
    },
    MachineCheck("governor", nil, isDoubtful: true) { Diagnosis($0) },
    MachineCheck("sync", "0.168 ms", isDoubtful: true) { _ in
      Diagnosis(
        "a sync is faster than a phone's",
        remedy: "a phone takes milliseconds: read orders and mechanisms, not seconds",
        grade: .good)
    },
    MachineCheck("memory", "88 % free"),
  ]

  /// Pairs that scatter by 2 or 3 %, a second and a half each.
  static let noise: MachineNoise? = {
    let shares = [-0.03, -0.02, -0.02, -0.01, 0, 0, 0.01, 0.02, 0.02, 0.03]
    let pairs = shares.map { share in
      DuetPair(baseline: cell(blocked: 10), candidate: cell(blocked: 10 * exp(share)))
    }
    return MachineNoise(pairs, scenario: "5000-cities", seconds: 15)
  }()
  static let outlook = noise.map { DuetOutlook($0, draws: 20) }

  private static func cell(blocked: Double) -> CellResult {
    var cell = CellResult(
      runID: "r", startedAt: "", scenario: "5000-cities", topology: "main-only", store: "pool",
      trial: 1, order: 1, seed: 1, status: .ok)
    cell.metrics["main_blocked_ms"] = blocked
    return cell
  }

  @Test func `a small report reads like this`() throws {
    let report = DoctorReport(Self.checks, noise: Self.noise, outlook: Self.outlook)
    let style = TextStyle(width: 100)
    #expect(
      try DoctorAnswer.render(report, as: .table, style: style) == """
        what      reading                   remedy
        ──────────────────────────────────────────────────────────────────────────────────────────────────
        build     release      fine
        cores     2            doubtful     use a machine with more cores; main_gap_runqueue_ms shows what
                                            it cost
        governor  unavailable  unavailable
        sync      0.168 ms     noted        a phone takes milliseconds: read orders and mechanisms, not
                                            seconds
        memory    88 % free    fine

        What makes results here doubtful: cores.

        Noise of 5000-cities: main_blocked_ms of two cells of the same build, one right after the other,
        differs by 2.5 % (standard deviation of 10 pairs over main-only). A pair takes 1.50 s.

        Detectable here, fresh pairs included: in one minute, a duet over one topology finds a regression of
        4.9 % or more 95 times in 100; 10 % is found 100 times in 100 over 1 topology, nearly always within
        53 s (35 pairs each) and 100 times in 100 over 4 topologies, nearly always within 116 s (20 pairs
        each).

        """)
  }

  @Test func `unknown readings are unavailable, and omissions are named`() throws {
    let report = DoctorReport(Self.checks, noise: nil, outlook: nil, badCells: 3)
    let style = TextStyle(width: 80, isUTF8: false)
    let text = try DoctorAnswer.render(report, as: .table, style: style)
    #expect(text.contains("governor  unavailable  unavailable"))
    #expect(text.contains("3 cells of the noise measurement did not end ok."))
    #expect(!text.contains("Noise of"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `a measurement with too few pairs asks for more seconds`() throws {
    let sentence = "Too few sound pairs in 6 s to estimate the noise; name more --seconds."
    let cases: [(seconds: Double?, isSaid: Bool)] = [(5.2, true), (nil, false)]
    for (seconds, isSaid) in cases {
      let report = DoctorReport(Self.checks, noise: nil, outlook: nil, noiseSeconds: seconds)
      let text = try DoctorAnswer.render(report, as: .table, style: TextStyle(width: 100))
      #expect(text.contains(sentence) == isSaid)
      #expect(try DoctorAnswer.json(report).contains(sentence) == isSaid)
    }
    let enough = DoctorReport(
      Self.checks, noise: Self.noise, outlook: Self.outlook, noiseSeconds: 15)
    #expect(try !DoctorAnswer.json(enough).contains("Too few"))
  }

  @Test func `noise with processors kept awake is labelled`() throws {
    let style = TextStyle(width: 100, isUTF8: false)
    for (isAwake, label) in [(true, ", processors kept awake"), (false, "")] {
      let report = DoctorReport(
        Self.checks, keepsAwake: isAwake, noise: Self.noise, outlook: Self.outlook)
      let text = try DoctorAnswer.render(report, as: .table, style: style)
      #expect(text.contains("Noise of 5000-cities\(label): main_blocked_ms"))
      #expect(try DoctorAnswer.json(report).contains("\"keeps_awake\" : \(isAwake)"))
    }
  }
}
