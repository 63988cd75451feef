/// Something that a verdict must be read with, and what can be done about it.
package struct Caveat: Codable, Sendable, Hashable {
  /// A clause, such as `the governor is powersave`.
  package let what: String
  package let remedy: String

  package init(_ what: String, remedy: String) {
    self.what = what
    self.remedy = remedy
  }

  /// `the governor is powersave (set it to performance)`
  package var text: String { "\(what) (\(remedy))" }
}

/// What makes a comparison doubtful, apart from its figures.
package enum Caveats {
  /// What a machine says of itself.
  package static func of(_ machine: MachineReading) -> [Caveat] {
    MachineFinding.all(machine).compactMap(\.caveat)
  }

  /// What two sides measured apart say of their machines, each caveat once with the side that it is
  /// true of, and where the two differ in what figures depend on.
  ///
  /// - Parameters:
  ///   - baseline: one reading for each report; none where a report says nothing.
  ///   - candidate: the same.
  package static func between(
    baseline: [MachineReading], candidate: [MachineReading]
  ) -> [Caveat] {
    let (left, right) = (unique(baseline.flatMap(of)), unique(candidate.flatMap(of)))
    let both = left.filter(right.contains)
    return both + named("baseline", left.filter { !both.contains($0) })
      + named("candidate", right.filter { !both.contains($0) })
      + differences(baseline, candidate) + silence(baseline, candidate)
  }

  private static func named(_ side: String, _ caveats: [Caveat]) -> [Caveat] {
    caveats.map { Caveat("\(side): \($0.what)", remedy: $0.remedy) }
  }

  private static func unique(_ caveats: [Caveat]) -> [Caveat] {
    var seen: Set<Caveat> = []
    return caveats.filter { seen.insert($0).inserted }
  }

  /// What is set for a machine, not what it happens to read: that both are like it is what makes
  /// times comparable.
  private static let settings: [(name: String, value: @Sendable (MachineReading) -> String?)] = [
    ("build", \.build), ("governor", \.governor), ("file system", \.fileSystem),
    ("kernel", \.kernel), ("SQLite", \.sqlite), ("cores", { $0.cores.map(String.init) }),
    // Builds that did not note it could not do it.
    ("use of --keep-awake", { $0.keepsAwake == true ? "with it" : "without" }),
  ]

  private static func differences(
    _ baseline: [MachineReading], _ candidate: [MachineReading]
  ) -> [Caveat] {
    guard !baseline.isEmpty, !candidate.isEmpty else { return [] }
    return settings.compactMap { setting in
      let values = [baseline, candidate].map { Set($0.compactMap(setting.value)).sorted() }
      guard values[0] != values[1], !values[0].isEmpty, !values[1].isEmpty else { return nil }
      let sides = values.map { $0.joined(separator: ", ") }
      return Caveat(
        "the \(setting.name) differs: \(sides[0]) against \(sides[1])",
        remedy: "measure both alike, or with `topobench duet`")
    }
  }

  private static func silence(
    _ baseline: [MachineReading], _ candidate: [MachineReading]
  ) -> [Caveat] {
    [("baseline", baseline), ("candidate", candidate)].filter { $0.1.isEmpty }.map { side, _ in
      Caveat(
        "nothing is known of the machine that the \(side) was measured on",
        remedy: "keep NAME.env.json beside NAME.csv")
    }
  }
}
