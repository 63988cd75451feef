import Foundation
import Testing

/// Runs a copy of the script, and programs in place of those that try to break promises:
///
///     soak.py ─▶ fault-soak calls | cuts | kills ─▶ a tally, a crash, an interruption or nothing
@Suite(
  "The mix of a soak", .timeLimit(.minutes(5)),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
    "python3, in which the script is written, is not installed"))
struct SoakMixTests {
  private let command = CommandRun()

  private static let tally =
    #"printf '{"name":"%s","tries":5,"failures":0,"seeds":[%d,%d]}\n' "$name" "$seed" "$seed" >"$tally""#

  init() throws {
    try command.makeFolder("scripts")
    try command.makeFolder("results")
    try copy("scripts/soak.py")
  }

  private func copy(_ file: String) throws {
    try FileManager.default.copyItem(
      at: CommandRun.root.appendingPathComponent(file),
      to: command.folder.appendingPathComponent(file))
  }

  /// - Parameter acts: what a part does, in bash. Others write a tally of five tries.
  private func soak(
    _ options: String, revision: String = "a1", acts: [String: String] = [:],
    expecting status: Int32, saying words: String? = nil
  ) throws -> String {
    let cases = acts.sorted { $0.key < $1.key }.map { "\($0.key)) \($0.value) ;;" }
    let program = """
      #!/bin/bash
      case $1 in
        calls) name='failing calls' ;; cuts) name='power cuts' ;; kills) name='killed processes' ;;
      esac
      part=$1
      while (($#)); do
        case $1 in --seed) seed=$2 ;; --tally) tally=$2 ;; esac
        shift
      done
      case $part in \(cases.joined(separator: "\n")) *) \(Self.tally) ;; esac
      """
    try command.write(program, to: "fault-soak")
    let script =
      "chmod +x fault-soak; exec python3 scripts/soak.py \(options)"
      + (options.contains("--record")
        ? "" : " --short --revision \(revision) fault-soak=./fault-soak")
    return try command.shell(script, expecting: status, saying: words).output
  }

  /// The members of a part's line in the record.
  private func recorded(_ name: String) throws -> [String: Any]? {
    let lines = try command.text("results/soak.jsonl").split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    return lines.first { $0["name"] as? String == name }
  }

  @Test(arguments: ["kill -SEGV $$", "exit 7"])
  func `a part that crashes or fails without a tally is a failure, and the others go on`(
    act: String
  ) throws {
    let output = try soak("--minutes 0.01 --seed 40", acts: ["cuts": act], expecting: 1)
    let lines = output.split(separator: "\n")
    let crashed = try #require(lines.last { $0.hasPrefix("power cuts ") })
    #expect(crashed.contains(#/ 0 +1 +\d/#) && crashed.hasSuffix("40–40"), "\(crashed)")
    let sound = try #require(lines.last { $0.hasPrefix("killed processes ") })
    #expect(sound.contains(#/ [1-9]\d* +0 +\d/#), "\(sound)")
  }

  /// A product's report of a crash.
  private static let crash =
    #"printf '{"name":"%s","tries":0,"failures":1,"seeds":[42,43]}\n' "$name" >"$tally""#

  @Test(arguments: ["tell; kill -SEGV $$", "trap tell ABRT; sleep 400 & wait"])
  func `the seeds at which a part crashed or hangs are recorded`(act: String) throws {
    try setLimits()
    let output = try soak(
      "--minutes 0.01 --seed 40 --parts 'power cuts'",
      acts: ["cuts": "tell() { \(Self.crash); }; \(act)"], expecting: 1)
    let line = try #require(output.split(separator: "\n").last)
    #expect(line.contains(#/ 0 +1 +\d/#) && line.hasSuffix("42–43"), "\(output)")
  }

  /// Waits a few seconds for a part, not twenty minutes.
  private func setLimits() throws {
    let limits = "LONGEST_TRY, LONGEST_BUILD = 600, 3600"
    let script = try command.text("scripts/soak.py")
    try #require(script.contains(limits))
    try command.write(
      script.replacingOccurrences(of: limits, with: "LONGEST_TRY, LONGEST_BUILD = 5, 5"),
      to: "scripts/soak.py")
  }

  @Test func `a part that hangs is ended with its processes, and is a failure`() throws {
    try setLimits()
    // A process in a group of its own would keep the output open.
    let output = try soak(
      "--minutes 0.01 --seed 40", acts: ["cuts": "set -m; sleep 400 & wait"], expecting: 1)
    #expect(output.contains("power cuts hangs: no end after 5 s, from seed 40 on"), "\(output)")
    let lines = output.split(separator: "\n")
    let hung = try #require(lines.last { $0.hasPrefix("power cuts ") })
    #expect(hung.contains(#/ 0 +1 +\d/#), "\(hung)")
    let sound = try #require(lines.last { $0.hasPrefix("killed processes ") })
    #expect(sound.contains(#/ [1-9]\d* +0 +\d/#), "\(sound)")
  }

  @Test func `an interrupted slice counts nothing, and is repeated`() throws {
    let interrupted = "[[ -e once ]] || { touch once; kill -KILL $$; }; \(Self.tally)"
    _ = try soak(
      "--minutes 0.01 --seed 40", acts: ["calls": interrupted], expecting: 1,
      saying: "failing calls was ended by signal 9")
    #expect(try command.text(".build/soak/tallies.jsonl").isEmpty)
    let output = try soak("--resume", acts: ["calls": interrupted], expecting: 0)
    #expect(output.contains("from seed 40"))
  }

  @Test func `a mix of some parts fills only their lines`() throws {
    try command.write(
      #"{"name":"failing calls","tries":3,"failures":0,"seeds":[1,2],"seconds":1,"date":"2026-01-01","revision":"a0"}"#
        + "\n", to: "results/soak.jsonl")
    _ = try soak(
      "--minutes 0.01 --parts 'power cuts'", acts: ["cuts": "kill -KILL $$"], expecting: 1)
    let output = try soak("--resume", expecting: 0)
    #expect(output.contains("100 %  power cuts") && !output.contains("failing calls"))
    _ = try soak("--record", expecting: 0)
    #expect(try recorded("failing calls")?["revision"] as? String == "a0")
    #expect(try recorded("power cuts")?["revision"] as? String == "a1")
    #expect(try recorded("killed processes") == nil)
  }

  @Test func `an unknown part is refused, with the names of those that there are`() throws {
    _ = try soak(
      "--minutes 0.01 --parts kills", expecting: 1,
      saying: "no part has the name 'kills'; type some of: failing calls,power cuts,")
    #expect(!command.exists(".build/soak/plan.json"))
  }

  @Test func `a mix goes on with the revision that it began with`() throws {
    _ = try soak("--minutes 0.01", expecting: 0)
    _ = try soak(
      "--resume", revision: "b2", expecting: 1, saying: "it began on a1, this is b2")
  }

  @Test func `without minutes each part makes its tries, and an interrupted one again`() throws {
    let parts = "--parts 'power cuts,failing calls' --seed 40"
    let interrupted = "[[ -e once ]] || { touch once; kill -KILL $$; }; \(Self.tally)"
    _ = try soak(
      parts, acts: ["cuts": interrupted], expecting: 1, saying: "power cuts was ended by signal 9")
    let tallies = try command.text(".build/soak/tallies.jsonl")
    #expect(tallies.split(separator: "\n").count == 1)
    try command.write(tallies + #"{"name":"power cu"#, to: ".build/soak/tallies.jsonl")
    let output = try soak("--resume", acts: ["cuts": interrupted], expecting: 0)
    #expect(output.contains("2 commands, from seed 40"), "\(output)")
    _ = try soak("--record", expecting: 0)
    for name in ["power cuts", "failing calls"] {
      #expect(try #require(try recorded(name)?["tries"] as? Int) > 0)
    }
  }

  @Test func `planted bugs are hunted from a seed of their own, and recorded`() throws {
    try command.write(
      """
      #!/bin/bash
      printf '{"name":"planted bugs","tries":10,"failures":0,"seeds":[%d,%d]}\\n' $2 $2 >"$4"
      """, to: "scripts/check-planted-bugs")
    try command.shell("chmod +x scripts/check-planted-bugs", expecting: 0)
    _ = try soak("--parts 'planted bugs' --seed 40", expecting: 0)
    _ = try soak("--record", expecting: 0)
    let tally = try #require(try recorded("planted bugs"))
    #expect(tally["tries"] as? Int == 10 && tally["seeds"] as? [Int] == [1, 1])
  }

  @Test func `a long part makes its tries by several commands, with seeds in turn`() throws {
    try command.link("harness-soak", to: "fault-soak")
    let output = try soak(
      "--parts 'killed runs' --seed 40", acts: ["kills": "name='killed runs'; \(Self.tally)"],
      expecting: 0)
    #expect(output.contains("10 commands, from seed 40\n"), "\(output)")
    #expect(output.hasSuffix("  40–49\n"), "\(output)")
  }

  @Test func `a record replaces the parts that were tried, and keeps the others`() throws {
    let old = ["stories", "failing calls", "power cuts"].map {
      #"{"name":"\#($0)","tries":3,"failures":0,"seeds":[1,2],"seconds":1,"date":"2026-01-01","revision":"a0"}"#
    }
    try command.write(old.joined(separator: "\n") + "\n", to: "results/soak.jsonl")
    _ = try soak("--minutes 0.01 --seed 40", acts: ["cuts": "exit 0"], expecting: 0)
    _ = try soak("--record", expecting: 0)
    #expect(try recorded("stories")?["tries"] as? Int == 3)
    #expect(try recorded("power cuts")?["tries"] as? Int == 3)
    let calls = try #require(try recorded("failing calls"))
    #expect(try #require(calls["tries"] as? Int).isMultiple(of: 5))
    #expect((calls["seeds"] as? [Int])?.first == 40 && calls["revision"] as? String == "a1")
  }

  @Test func `a record commits the tallies and the page, and nothing else`() throws {
    let page = "Documentation/Reference/Promises.md"
    try command.makeFolder("Documentation/Reference")
    for name in ["soak", "lib.sh", "promises", "pages.py"] { try copy("scripts/\(name)") }
    try copy(page)
    try command.write("", to: "results/soak.jsonl")
    try command.shell(
      """
      git init -q && git config user.name Test && git config user.email test@example.org &&
        git add results Documentation scripts && git commit -qm First &&
        echo 1 >other && git add other
      """, expecting: 0)
    _ = try soak("--minutes 0.01", expecting: 0)
    try command.shell("scripts/soak --record \(Self.tallies)", expecting: 0)
    #expect(try command.text(page).contains(#/ [0-9]+ \([0-9]+–[0-9]+\) \| 0 \| /#))
    let commit = try command.shell("git show --format=%s --name-only", expecting: 0).output
    #expect(commit == "Record what the soak tried\n\n\(page)\nresults/soak.jsonl\n")
    #expect(try command.shell("git diff --cached --name-only").output == "other\n")
    try command.write("", to: page)
    try command.shell("scripts/soak --record", expecting: 1, saying: "has changes; commit")
  }

  private static let tallies = ".build/soak/tallies.jsonl"

  @Test func `a new soak keeps tallies that were not recorded`() throws {
    let kept = ".build/soak/tallies-1.jsonl"
    #expect(try !soak("--minutes 0.01 --seed 40", expecting: 0).contains("not recorded"))
    let first = try command.text(Self.tallies)
    let output = try soak("--minutes 0.01 --seed 90", expecting: 0)
    #expect(output.contains("The last tallies are not recorded."), "\(output)")
    #expect(output.contains("type: scripts/soak --record \(kept)\n"), "\(output)")
    #expect(try command.text(kept) == first)
    _ = try soak("--record", expecting: 0)
    #expect(try (recorded("power cuts")?["seeds"] as? [Int])?.first == 90)
    #expect(try !soak("--minutes 0.01", expecting: 0).contains("not recorded"))
    _ = try soak("--record \(kept)", expecting: 0)
    #expect(try (recorded("power cuts")?["seeds"] as? [Int])?.first == 40)
  }

  @Test func `the tallies of several checkouts have a range of seeds each`() throws {
    func write(_ ranges: [Int]..., revision: String, to file: String) throws {
      let lines = ranges.map {
        #"{"name":"power cuts","tries":5,"failures":0,"seeds":\#($0),"seconds":1,"#
          + #""date":"2026-01-01","revision":"\#(revision)"}"# + "\n"
      }
      try command.write(lines.joined(), to: file)
    }
    try write([10, 14], [15, 19], revision: "a1", to: "one.jsonl")
    try write([4, 5], [900, 904], revision: "a1", to: "two.jsonl")
    // The same file is added once.
    let output = try soak("--record one.jsonl two.jsonl ./one.jsonl", expecting: 0)
    #expect(output.hasSuffix("  4–5, 10–19, 900–904\n"), "\(output)")
    let line = try #require(try recorded("power cuts"))
    #expect(line["seeds"] as? [Int] == [4, 5, 10, 19, 900, 904])
    #expect(line["tries"] as? Int == 20)
    try write([1, 2], revision: "b2", to: "two.jsonl")
    _ = try soak(
      "--record one.jsonl two.jsonl", expecting: 1, saying: "of the revisions a1, b2; record")
    _ = try soak("--record three.jsonl", expecting: 1, saying: "no file 'three.jsonl'; a")
  }

  @Test func `tallies of a changed checkout are not recorded`() throws {
    _ = try soak("--minutes 0.01", revision: "a1-dirty", expecting: 0)
    _ = try soak("--record", expecting: 1, saying: "the tallies are of a changed checkout")
    #expect(!command.exists("results/soak.jsonl"))
  }
}
