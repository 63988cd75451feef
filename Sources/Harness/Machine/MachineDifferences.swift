package import Judging
import Support

package enum MachineDifferences {
  /// Diagnoses of both machines, and of the settings in which they differ. A diagnosis of one
  /// machine names its side. A shared diagnosis appears once.
  package static func diagnoses(
    baseline: [MachineReading], candidate: [MachineReading]
  ) -> [Diagnosis] {
    let sides = [("baseline", baseline), ("candidate", candidate)]
    let own = sides.map { $1.flatMap(\.diagnoses).unique }
    let both = own[0].filter(own[1].contains)
    let named = zip(sides, own).flatMap { side, own in
      own.filter { !both.contains($0) }.map {
        Diagnosis(
          "\(side.0): \($0.what)", evidence: $0.evidence, remedy: $0.remedy, grade: $0.grade)
      }
    }
    let silence = sides.filter(\.1.isEmpty).map { side, _ in
      Diagnosis(
        "the load and settings of the \(side)'s machine are unknown",
        remedy: "keep NAME.env.json beside NAME.csv")
    }
    return both + named + differences(baseline, candidate) + silence
  }

  private static func differences(
    _ baseline: [MachineReading], _ candidate: [MachineReading]
  ) -> [Diagnosis] {
    MachineReading.properties.compactMap(\.difference).compactMap { difference in
      let values = [baseline, candidate].map { Set($0.compactMap(difference.text)).sorted() }
      guard values[0] != values[1], !values[0].isEmpty, !values[1].isEmpty else { return nil }
      let sides = values.map { $0.joined(separator: ", ") }
      return Diagnosis(
        "the \(difference.name) differs", evidence: "\(sides[0]) against \(sides[1])",
        remedy: "measure both alike, or with `topobench duet`")
    }
  }
}
