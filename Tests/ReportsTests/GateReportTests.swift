import Foundation
import Judging
import Measurement
import Reports
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct GateReportTests {
  private let plain = TextStyle(width: 100)

  private func render(
    _ report: GateReport, _ format: GateReport.Format
  ) throws -> String {
    try report.render(as: format, style: plain)
  }

  @Test func `the table says what fails, by how much, and why`() throws {
    let text = try render(.sample { $0.slower = 1.2 }, .table)
    #expect(
      text == """
        Baseline: old.csv; 16 cells, all ok.
        Candidate: new.csv; 16 cells, all ok.
        Unpaired: one machine, at two times. A change of the machine looks like one of the program.

        topology           figure           baseline  candidate  change  verdict
        ────────────────────────────────────────────────────────────────────────
        root-main-private  main_blocked_ms      9.99       12.0   +20 %  fail
        main-only          main_blocked_ms      20.0       20.0     0 %  pass

        topology           figure           why
        ─────────────────────────────────────────────────────────────────────────────────────────────────
        root-main-private  main_blocked_ms  over all trials +20 % (95 % interval +19 to +21 %), p < 0.001
        main-only          main_blocked_ms  over all trials 0 % (95 % interval -0.7 to +0.8 %); +0.5 % at
                                            worst, of +10 % allowed

        Not listed: 2 exact counts that did not increase.

        - Not gated, but changed: root-main-private total_ms +20 % (worse).

        Fail: 1 of 4 gated figures fails.

        """, "\(text)")
  }

  @Test(arguments: [
    (1_000_000.0, 1_100_000.0, "the same within 200,000, which is 20 % of it"),
    (1_000_000, 1_300_000, "more by over 200,000, which is 20 % of it"),
    (40_000_000, 40_300_000, "the same within 1 %"),
    (40_000_000, 41_000_000, "more by over 1 %, which a busy machine does not add"),
  ])
  func `the reason names how far equal instructions may differ`(
    before: Double, after: Double, reason: String
  ) throws {
    func count(_ instructions: Double) -> (inout CellResult) -> Void {
      {
        $0.isCounted = true
        $0.metrics[.mainInstructions] = instructions
      }
    }
    let text = try render(
      .sample {
        $0.trials = 1
        $0.editBaseline = count(before)
        $0.editCandidate = count(after)
      }, .document(.markdown))
    #expect(text.contains(reason), "\(text)")
  }

  @Test(arguments: [
    ("refetch", "disagrees with itself, because a fetch of the whole list also reads"),
    ("mine", "disagrees with itself: find out what it depends on, or name it under"),
  ])
  func `a count that may vary is not said to be equal`(topology: String, reason: String) throws {
    func varied(_ cell: inout CellResult) {
      cell.topology = topology
      cell.metrics[.mainStatements] = Double(100 + cell.trial)
    }
    func whole(_ cell: inout CellResult) {
      if cell.topology == "main-only" { varied(&cell) }
    }
    let text = try render(
      .sample {
        $0.editBaseline = whole
        $0.editCandidate = whole
      }, .document(.markdown))
    #expect(text.contains(reason), "\(text)")
  }

  @Test func `JSON can be made where a side of a figure is empty, or its base is zero`() throws {
    for base in [nil, 0.0] {
      let json = try object(
        .sample { sample in
          sample.policy.gated = [.total]
          sample.editBaseline = { $0.metrics["total_ms"] = base }
        })
      let figures = try #require(json["figures"] as? [[String: Any]])
      #expect(figures.contains { $0["metric"] as? String == "total_ms" })
    }
  }

  @Test(arguments: GateReport.Format.allCases)
  func `a count that the baseline's version did not have is named`(
    format: GateReport.Format
  ) throws {
    let text = try render(
      .sample { $0.editCandidate = { $0.metrics["main_stale_objects"] = 0 } }, format)
    let words = text.replacing("\\", with: "").replacing("\n", with: " ")
    #expect(words.contains("lacks it: main_stale_objects"), "\(text)")
  }

  @Test func `every format has the trials that would settle an inconclusive gate`() throws {
    let report = GateReport.sample { $0.trials = 4 }
    #expect(try object(report)["needed_trials"] as? Int ?? 0 >= 6)
    for format in GateReport.Format.allCases {
      #expect(try render(report, format).lowercased().contains("would settle it"), "\(format)")
    }
  }

  @Test func `JUnit has failures, and errors for inconclusive figures`() throws {
    let failed = try render(.sample { $0.slower = 1.2 }, .data(.junit))
    #expect(failed.contains("tests=\"4\" failures=\"1\" errors=\"0\""), "\(failed)")
    #expect(failed.contains("<testcase classname=\"root-main-private\" name=\"main_blocked_ms\">"))
    let open = try render(.sample { $0.trials = 4 }, .data(.junit))
    #expect(open.contains("errors=\"4\""), "\(open)")
    let other = try render(.sample { $0.host = "elsewhere" }, .data(.junit))
    #expect(other.contains("<error message=\"The baseline is of another machine"), "\(other)")
  }

  @Test func `XML is well formed, whatever names hold`() throws {
    let hostile = "a<b>&\"'\u{1}\u{1B}[31m]]>\u{FFFF}\n<!--"
    for slower in [1.0, 1.2] {
      let text = try render(
        .sample {
          $0.slower = slower
          $0.scenario = hostile
          $0.topologies[1] = hostile
        }, .data(.junit))
      let parser = XMLParser(data: Data(text.utf8))
      #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")\n\(text)")
    }
  }

  @Test func `annotations are at most ten, the gravest first, and count the others`() throws {
    let report = GateReport.sample {
      $0.topologies = (0..<14).map { "t\($0)" }
      $0.slower = 1.3
      $0.mostAreSlower = true
    }
    let lines = try render(report, .data(.github)).split(separator: "\n")
    let commands = lines.filter { $0.hasPrefix("::") }
    #expect(commands.count == 10)
    #expect(commands.dropLast().allSatisfy { $0.hasPrefix("::error title=fail%3A t") })
    #expect(commands.last?.contains("and 4 more") == true, "\(commands.last ?? "")")
  }

  @Test func `an annotation cannot be made a command, or break out of its line`() throws {
    let text = try render(
      .sample {
        $0.slower = 1.2
        $0.topologies[1] = "a,b:c%\r\n::warning::d"
      }, .data(.github))
    let commands = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("::") }
    #expect(commands.count == 1, "\(text)")
    #expect(
      text.hasPrefix(
        "::error title=fail%3A a%2Cb%3Ac%25%0D%0A%3A%3Awarning%3A%3Ad main_blocked_ms::"),
      "\(text)")
  }

  @Test func `Markdown lists the gravest rows first, and counts the rows without room`() throws {
    // Six trials tell counts apart, and no times among so many.
    let text = try render(
      .sample {
        $0.topologies = (0..<110).map { "t\($0)" }
        $0.trials = 6
        $0.statements = 1
      }, .document(.markdown))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count == 100)
    #expect(rows.first?.hasPrefix("| t109 | main\\_statements |") == true, "\(rows)")
    #expect(rows.dropFirst().allSatisfy { $0.contains("| **inconclusive** | ") })
    let more = "Not shown: 11 more rows (11 inconclusive); --format json has all."
    #expect(text.contains("\n\n\(more)\n\n"), "\(text)")
    let few = try render(.sample { $0.slower = 1.2 }, .document(.markdown))
    #expect(few.contains("| **fail** |") && !few.contains("Not shown"))
  }

  @Test func `the Markdown of any gate fits a step summary of 1 MiB`() throws {
    let long = String(repeating: "<\u{202E}", count: 300)
    let text = try render(
      .sample {
        $0.topologies = (0..<110).map { "\(long)\($0)" }
        $0.scenario = long
        $0.trials = 6
        $0.mostAreSlower = true
        $0.statements = 1
      }, .document(.markdown))
    #expect(text.utf8.count < 1 << 19, "\(text.utf8.count)")
    #expect(text.contains("(9 fail, 110 inconclusive)"))
  }

  @Test func `an inexact count is judged by statistics, with the reason of the policy`()
    throws
  {
    var policy = Policy()
    policy.inexactCounts = [
      InexactCount(
        metric: .mainStatements, topology: "root-main-private", reason: "it follows the frames"),
      InexactCount(metric: .mainStatements, topology: "main-only", reason: "it once did"),
    ]
    let report = GateReport.sample {
      $0.policy = policy
      $0.varies = true
    }
    let figure = try #require(
      report.result.figures.first { $0.inexact?.declared.reason == "it follows the frames" })
    guard case .time = figure.judgement else {
      Issue.record("\(figure) is no time")
      return
    }
    #expect(figure.verdict == .pass)
    let text = try render(report, .table).split { $0.isWhitespace }.joined(separator: " ")
    for words in [
      "root-main-private main_statements 101 101 0 % pass",
      "Held by statistics and not exactly, as the policy says: main-only main_statements, "
        + "root-main-private main_statements.",
      "The policy calls main_statements of main-only inexact, but all trials of each side agree.",
      "Pass: none of 4 gated figures is worse.",
    ] { #expect(text.contains(words), "\(words)\n\(text)") }
    let unsaid = try render(.sample { $0.varies = true }, .data(.github))
    #expect(unsaid.contains("or name it under `inexact` in the policy"), "\(unsaid)")
  }

  @Test func `every kind of result and every problem has its sentence`() throws {
    let report = GateReport.sample {
      $0.slower = 1.2
      $0.statements = 1
      $0.policy = .sample
      $0.host = "elsewhere"
      $0.crashes = true
    }
    let text = try render(report, .table).split { $0.isWhitespace }.joined(separator: " ")
    for words in [
      "another machine", "of another or an unknown machine, so it advises only",
      "accepted until 2027-01-31",
      "they were not measured together", "it was not measured", "the median lies between",
      "crashed (the first: out of luck)", "ended on 2020-01-01",
      "it is the other way round in 7 rounds",
    ] {
      #expect(text.contains(words), "\(words)\n\(text)")
    }
    #expect(try object(report)["exit_status"] as? Int == 5)
  }

  @Test func `a figure beside a limit of the policy lies on its own side`() throws {
    let report = GateReport.sample {
      $0.policy.limits = [Limit(topology: nil, metric: .total, relation: .atMost, bound: 55)]
      $0.editCandidate = { $0.metrics["total_ms"] = 55.04 }
    }
    let text = try render(report, .table).split { $0.isWhitespace }.joined(separator: " ")
    #expect(text.contains("the median is 55.04"), "\(text)")
    #expect(text.contains("total_ms <= 55 55.04"), "\(text)")
  }

  @Test func `suspects are named where they alone leave a gate undecided`() throws {
    let report = GateReport.sample {
      $0.trials = 30
      $0.editCandidate = { if $0.trial < 5 { $0.status = .suspect } }
    }
    let text = try render(report, .table)
    #expect(text.contains("Inconclusive: too many cells are suspect."), "\(text)")
  }

  @Test func `JSON has the bound of a pass`() throws {
    let json = try object(.sample())
    #expect(json["outcome"] as? String == "pass" && json["exit_status"] as? Int == 0)
    let figures = try #require(json["figures"] as? [[String: Any]])
    #expect(figures.count == 4)
    let judgements = figures.compactMap { $0["judgement"] as? [String: Any] }
    let time = try #require(judgements.first { $0["kind"] as? String == "time" })
    #expect(time["name"] as? String == "main-only: main_blocked_ms")
    #expect(try #require(time["bound"] as? Double) < 1.1)
    #expect(abs(try #require(time["allowed"] as? Double) - 1.1) < 1e-9)
    let notes = try #require(json["notes"] as? [String])
    #expect(notes.contains { $0.contains("at worst, of +10 % allowed") }, "\(notes)")
  }

  private func object(_ report: GateReport) throws -> [String: Any] {
    let data = Data(try render(report, .data(.json)).utf8)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}
