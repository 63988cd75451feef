import Foundation
import Measurement
import Testing

@Suite("The files of a report")
struct ReportFilesTests {
  private let command = CommandRun()

  @discardableResult
  private func run(
    _ output: String, _ more: String..., expecting status: Int32 = 0, saying words: String? = nil
  ) throws -> CommandRun.Outcome {
    try command.run(
      [
        "--scenario", CommandRun.fewCities, "--topology", "main-only", "--trials", "1", "--quiet",
        "--output", output,
      ] + more, expecting: status, saying: words)
  }

  @Test func `names in a document cannot lead out of the report's folder`() throws {
    try run("a.csv")
    let name = try #require(try command.files(in: "a.cells").first)
    let document = try command.text("a.cells/\(name)")
    for (field, value) in [
      ("topology", "/../../../escaped"), ("store", "/escaped"), ("scenario", "../escaped"),
    ] {
      let hostile = document.replacing(
        try Regex("\"\(field)\" : \"[^\"]*\""), with: "\"\(field)\" : \"\(value)\"")
      try command.write(hostile, to: "hostile.json")
      let outcome = try command.run(
        "collect", "hostile.json", "--output", "new/b.csv", expecting: 1,
        saying: "cannot be part of a file's name")
      #expect(outcome.errors.contains("hostile.json"))
    }
    #expect(!command.exists("new"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: command.folder.path)
    #expect(!files.contains { $0.contains("escaped") }, "\(files)")
  }

  @Test(arguments: ["a.csv", "a.cells", "run.2", "plain"])
  func `with force, a report replaces its own files and no other`(output: String) throws {
    try run(output)
    let cells = output.hasSuffix(".csv") ? "a.cells" : "\(output).cells"
    try command.write("mine", to: "\(cells)/notes.txt")
    let draft = "\(cells)/0001-few-cities.json.topobench-draft"
    try command.write("{", to: draft)
    try run(output, "--force")
    #expect(!command.exists(draft))
    #expect(try command.cells(output).count == 1)
    #expect(try command.text("\(cells)/notes.txt") == "mine")
  }

  @Test func `reports whose names differ after a dot share no file`() throws {
    try run("run.1")
    try run("run.2")
    let first = try command.text("run.1.env.json")
    try run("run.2", "--force")
    #expect(try command.text("run.1.env.json") == first)
    for name in ["run.1.cells", "run.2.cells"] {
      #expect(try command.files(in: name).count == 1)
    }
  }

  @Test(arguments: ["rm -r a.csv a.cells", "rm a.csv; echo other > a.csv"])
  func `a report that is deleted or replaced during the run is rescued`(change: String) throws {
    let outcome = try command.shell(
      """
      "$topobench" --scenario \(CommandRun.fewCities) --topology main-only --trials 200 \
        --output a.csv >/dev/null & run=$!
      while [ "$(wc -l < a.csv 2>/dev/null || echo 0)" -lt 3 ]; do sleep 0.02; done
      \(change)
      wait $run
      """, expecting: 1, saying: "was deleted or replaced")
    #expect(outcome.errors.contains("a-rescued.csv'"))
    let cells = try command.cells("a-rescued.csv")
    #expect(cells.count >= 3 && cells.allSatisfy { $0.status == .ok })
    if change.contains("other") { #expect(try command.text("a.csv") == "other\n") }
  }

  @Test func `a refused run leaves no file`() throws {
    try command.write("mine", to: "a.cells")
    try run("a.csv", "--force", expecting: 64, saying: "cannot create the folder")
    #expect(!command.exists("a.csv"))
    try command.write("{", to: "b.env.json")
    try run("b.csv", "--resume", expecting: 64)
    #expect(!command.exists("b.csv"))
    #expect(try command.text("b.env.json") == "{")
  }

  @Test func `a report is not collected into itself, so that its documents stay`() throws {
    try run("a.csv")
    let before = try command.files(in: "a.cells")
    try command.run(
      "collect", "a.csv", "--output", "./a.csv", "--force", expecting: 64,
      saying: "is one of the files to read")
    #expect(try command.files(in: "a.cells") == before && !before.isEmpty)
  }

  @Test func `a baseline that is a link is renewed at its target`() throws {
    try run("new.csv")
    try command.makeFolder("kept")
    for name in ["base.csv", "base.env.json"] {
      let source = name.replacing("base", with: "new")
      try command.write(try command.text(source), to: "kept/\(name)")
      try command.link(name, to: "kept/\(name)")
    }
    let before = try command.text("kept/base.csv")
    try run("new.csv", "--force")
    try command.run(
      "gate", "--baseline", "base.csv", "--candidate", "new.csv", "--update-baseline", expecting: 0)
    #expect(try command.text("kept/base.csv") != before)
    #expect(try command.text("base.csv") == command.text("kept/base.csv"))
    for name in ["base.csv", "base.env.json"] {
      let path = command.folder.appendingPathComponent(name).path
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "kept/\(name)")
    }
  }

  @Test func `an error of a disk names the path and the system's reason`() throws {
    let noFolder = try command.shell(
      "TMPDIR=/nowhere \"$topobench\" --scenario \(CommandRun.fewCities) --output a.csv",
      expecting: 64, saying: "/nowhere")
    #expect(noFolder.errors.contains("TMPDIR"), "\(noFolder.errors)")
    try command.link("full.csv", to: "/dev/full")
    let full = try run(
      "full.csv", "--force", expecting: 1, saying: "full.csv': no space left on device")
    #expect(!(noFolder.errors + full.errors).contains("NSCocoaErrorDomain"))
  }

  /// `small` is a disk of 100 KB.
  private func withSmallDisk(_ script: String) throws -> CommandRun.Outcome {
    try command.shell(
      """
      export run="$topobench --scenario \(CommandRun.fewCities) --topology main-only --trials 1"
      mkdir small
      unshare --user --map-root-user --mount bash -c '
        mount -t tmpfs -o size=100k none small; \(script)'
      """)
  }

  private static let canMount: Bool = {
    let mount = "unshare --user --map-root-user --mount mount -t tmpfs none /mnt"
    return (try? CommandRun().shell(mount).status) == 0
  }()

  @Test(.enabled(if: canMount, "this machine lets no user mount a disk"))
  func `a full or read-only disk is named with the operation and the reason`() throws {
    let full = try withSmallDisk(
      """
      TMPDIR=$PWD/small $run --output a.csv --quiet >&2
      head -c 1M /dev/zero > small/fill
      $run --output b.csv --keep-stores small --quiet >&2
      $run --output small/c.csv --quiet; TMPDIR=$PWD/small $run --output d.csv --quiet
      """)
    let cell = try #require(command.cells("a.csv").first)
    #expect(cell.status == .crashed && cell.error.contains("full"), "\(cell.error)")
    #expect(cell.error.contains("/cell-1"), "\(cell.error)")
    let copy = try #require(command.cells("b.csv").first).error
    #expect(copy.hasPrefix("cannot copy a store to '"), "\(copy)")
    #expect(copy.hasSuffix("pool-1.sqlite': no space left on device"), "\(copy)")
    #expect(full.errors.contains("small/c.csv': no space left on device"), "\(full.errors)")
    #expect(full.errors.contains("The pragmas of a store cannot be read"), "\(full.errors)")
    let crashed = try #require(command.cells("d.csv").first).error
    #expect(crashed.contains("disk is full"), "\(crashed)")
    let readOnly = try withSmallDisk(
      """
      mount -o remount,ro small
      $run --output e.csv --keep-stores small --quiet; $run --output small/f.csv --quiet
      TMPDIR=$PWD/small $run --output g.csv --quiet
      """)
    let kept = try #require(command.cells("e.csv").first).error
    #expect(kept.hasPrefix("cannot copy a store to '"), "\(kept)")
    #expect(kept.contains("/small/few-cities-main-only-pool-1.sqlite': read-only file system"))
    #expect(
      readOnly.errors.contains("cannot write '\(command.folder.path)/small/f.csv': read-only"))
    #expect(readOnly.errors.contains("TMPDIR: cannot write in "), "\(readOnly.errors)")
    #expect(
      !(full.errors + readOnly.errors + cell.error + copy + kept).contains("NSCocoaErrorDomain"))
  }
}
