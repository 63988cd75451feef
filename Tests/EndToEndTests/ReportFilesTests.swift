import Foundation
import Measurement
import Testing

@Suite("The files of a report")
struct ReportFilesTests {
  private let command = CommandRun()

  private func run(_ output: String, _ more: String...) throws -> CommandRun.Outcome {
    try command.run(
      [
        "--scenario", CommandRun.fewCities, "--topology", "main-only", "--trials", "1", "--quiet",
        "--output", output,
      ] + more)
  }

  @Test func `names in a document cannot lead out of the report's folder`() throws {
    #expect(try run("a.csv").status == 0)
    let folder = command.folder.appendingPathComponent("a.cells")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let document = try command.text("a.cells/\(name)")
    for (field, value) in [
      ("topology", "/../../../escaped"), ("store", "/escaped"), ("scenario", "../escaped"),
    ] {
      let hostile = document.replacing(
        try Regex("\"\(field)\" : \"[^\"]*\""), with: "\"\(field)\" : \"\(value)\"")
      try command.write(hostile, to: "hostile.json")
      let outcome = try command.run("collect", "hostile.json", "--output", "new/b.csv")
      #expect(outcome.status == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains("cannot be part of a file's name"), "\(outcome.errors)")
      #expect(outcome.errors.contains("hostile.json"))
    }
    #expect(!command.exists("new"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: command.folder.path)
    #expect(!files.contains { $0.contains("escaped") }, "\(files)")
  }

  @Test(arguments: ["a.csv", "a.cells", "run.2", "plain"])
  func `with force, a report replaces its own files and no other`(output: String) throws {
    #expect(try run(output).status == 0)
    let cells = output.hasSuffix(".csv") ? "a.cells" : "\(output).cells"
    try command.write("mine", to: "\(cells)/notes.txt")
    // No process has this ID.
    let draft = "\(cells)/0001-few-cities.json.new-99999999"
    try command.write("{", to: draft)
    #expect(try run(output, "--force").status == 0)
    #expect(!command.exists(draft))
    #expect(try command.cells(output).count == 1)
    #expect(try command.text("\(cells)/notes.txt") == "mine")
  }

  @Test func `reports whose names differ after a dot share no file`() throws {
    #expect(try run("run.1").status == 0)
    #expect(try run("run.2").status == 0)
    let first = try command.text("run.1.env.json")
    #expect(try run("run.2", "--force").status == 0)
    #expect(try command.text("run.1.env.json") == first)
    for name in ["run.1.cells", "run.2.cells"] {
      let folder = command.folder.appendingPathComponent(name).path
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }
  }

  @Test(arguments: ["rm -r a.csv a.cells", "rm a.csv; echo other > a.csv"])
  func `a report that is deleted or replaced during the run is rescued`(
    change: String
  ) throws {
    let outcome = try command.shell(
      """
      "$topobench" --scenario \(CommandRun.fewCities) --topology main-only --trials 200 \
        --output a.csv >/dev/null & run=$!
      while [ "$(wc -l < a.csv 2>/dev/null || echo 0)" -lt 3 ]; do sleep 0.02; done
      \(change)
      wait $run
      """, expecting: 1)
    #expect(outcome.errors.contains("was deleted or replaced"), "\(outcome.errors)")
    #expect(outcome.errors.contains("a-rescued.csv'"))
    let cells = try command.cells("a-rescued.csv")
    #expect(cells.count >= 3 && cells.allSatisfy { $0.status == .ok })
    if change.contains("other") { #expect(try command.text("a.csv") == "other\n") }
  }

  @Test func `a refused run leaves no file`() throws {
    try command.write("mine", to: "a.cells")
    let refused = try run("a.csv", "--force")
    #expect(refused.status == 64, "\(refused.errors)")
    #expect(refused.errors.contains("cannot create the folder"), "\(refused.errors)")
    #expect(!command.exists("a.csv"))
    try command.write("{", to: "b.env.json")
    #expect(try run("b.csv", "--resume").status == 64)
    #expect(!command.exists("b.csv"))
    #expect(try command.text("b.env.json") == "{")
  }

  @Test func `a report is not collected into itself, so that its documents stay`() throws {
    #expect(try run("a.csv").status == 0)
    let documents = command.folder.appendingPathComponent("a.cells").path
    let before = try FileManager.default.contentsOfDirectory(atPath: documents)
    let outcome = try command.run("collect", "a.csv", "--output", "./a.csv", "--force")
    #expect(outcome.status == 64 && outcome.errors.contains("is one of the files to read"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: documents) == before)
    #expect(!before.isEmpty)
  }

  @Test func `a baseline that is a link is renewed at its target`() throws {
    #expect(try run("new.csv").status == 0)
    try FileManager.default.createDirectory(
      at: command.folder.appendingPathComponent("kept"), withIntermediateDirectories: true)
    for name in ["base.csv", "base.env.json"] {
      let source = name.replacing("base", with: "new")
      try command.write(try command.text(source), to: "kept/\(name)")
      try FileManager.default.createSymbolicLink(
        atPath: command.folder.appendingPathComponent(name).path,
        withDestinationPath: "kept/\(name)")
    }
    let before = try command.text("kept/base.csv")
    #expect(try run("new.csv", "--force").status == 0)
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
      "TMPDIR=/nowhere \"$topobench\" --scenario \(CommandRun.fewCities) --output a.csv")
    #expect(noFolder.status == 64, "\(noFolder.errors)")
    #expect(noFolder.errors.contains("/nowhere"), "\(noFolder.errors)")
    #expect(noFolder.errors.contains("TMPDIR"), "\(noFolder.errors)")
    try FileManager.default.createSymbolicLink(
      atPath: command.folder.appendingPathComponent("full.csv").path,
      withDestinationPath: "/dev/full")
    let full = try run("full.csv", "--force")
    #expect(full.status == 1)
    #expect(full.errors.contains("full.csv': no space left on device"), "\(full.errors)")
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
    #expect(full.errors.contains("small': no space left on device"), "\(full.errors)")
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
