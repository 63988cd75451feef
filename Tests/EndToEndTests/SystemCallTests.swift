import Foundation
import Measurement
import Testing

/// Looks at the system calls of a run, or makes one fail.
@Suite("A run whose system calls fail", .enabled("strace cannot trace here") { canTrace() })
struct SystemCallTests {
  private let command = CommandRun()

  /// Runs one cell under strace, with a TMPDIR of its own.
  private func run(_ options: String) throws -> CommandRun.Outcome {
    let arguments = CommandRun.small(rows: 60, output: "report.csv") + ["--force", "--quiet"]
    let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
    try command.makeFolder("temporary")
    return try command.shell(
      """
      export TMPDIR=$PWD/temporary
      timeout 60 \(strace) \(options) "$topobench" \(quoted)
      """)
  }

  /// As soon as a cell's process is reaped, another process group may have its number.
  @Test func `a cell's process group is killed before the cell is reaped`() throws {
    let outcome = try run("-e trace=kill,wait4")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try command.text("trace.txt").split(separator: "\n")
    let kill = try #require(lines.firstIndex { $0.contains(/kill\(-[0-9]+, SIGKILL/) })
    let group = try #require(lines[kill].firstMatch(of: /kill\(-([0-9]+)/)).output.1
    let reap = try #require(lines.firstIndex { $0.contains("wait4(\(group),") })
    #expect(kill < reap, "\(lines[kill]) \(lines[reap])")
  }

  @Test func `a folder that cannot get its name is removed`() throws {
    // The first names its lock.
    let outcome = try run("-e trace=rename -e inject=rename:error=EIO:when=2")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("input/output error"), "\(outcome.errors)")
    #expect(try command.files(in: "temporary") == [])
  }

  @Test func `a draft that cannot be emptied is removed`() throws {
    // The first empties the rows.
    let outcome = try run("-e trace=ftruncate -e inject=ftruncate:error=EIO:when=2")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("input/output error"), "\(outcome.errors)")
    #expect(try command.files().filter { $0.contains("draft") } == [])
  }

  @Test(arguments: 3...8)
  func `a file that cannot be removed at once leaves no folder`(call: Int) throws {
    _ = try run("-e trace=unlink -e inject=unlink:error=EBUSY:when=\(call)")
    #expect(try command.files(in: "temporary") == [])
  }

  @Test(arguments: ["pidfd_open:error=EMFILE", "memfd_create:error=ENOSYS"])
  func `a run does without calls that a kernel may lack`(fault: String) throws {
    let outcome = try run("-e trace=pidfd_open,memfd_create -e inject=\(fault)")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Makes a page of the report `a.csv` under strace, without `--seccomp-bpf`: strace 6.1 then does
  /// not send the signal that a test asks for.
  private func makePage(
    _ options: String, expecting status: Int32? = nil, saying words: String? = nil
  ) throws {
    try command.shell(
      """
      timeout 60 strace -f -o trace.txt -e signal=none \(options) \
        "$topobench" report a.csv --output page.html
      """, expecting: status, saying: words)
  }

  private func pages() throws -> [String] { try command.files().filter { $0.contains("page") } }

  @Test func `a killed report leaves no page, and the next one removes its draft`() throws {
    try command.run(CommandRun.small(rows: 60) + ["--quiet"], expecting: 0)
    let page = command.folder.appending(path: "page.html").path
    try makePage(
      "-P '\(page)' -P '\(page).topobench-draft' -e trace=write -e inject=write:signal=KILL")
    #expect(try command.text("trace.txt").contains("write("))
    #expect(!command.exists("page.html"))
    try command.run("report", "a.csv", "--output", "page.html", expecting: 0)
    #expect(try pages() == ["page.html"])
    #expect(try command.text("page.html").hasSuffix("</html>\n"))
  }

  /// The link leads nowhere, so that only the last call can see that the name exists.
  @Test(arguments: ["", "-e inject=renameat2:error=EINVAL"])
  func `a page gets its name only if no file has it`(fault: String) throws {
    try command.run(CommandRun.small(rows: 60) + ["--quiet"], expecting: 0)
    try command.link("page.html", to: "nowhere")
    try makePage("-e trace=renameat2 \(fault)", expecting: 64, saying: "page.html': file exists")
    #expect(try command.text("trace.txt").contains("renameat2("))
    #expect(try pages() == ["page.html"] && !command.exists("page.html"))
    try command.shell("rm page.html", expecting: 0)
    try makePage("-e trace=renameat2 \(fault)", expecting: 0)
    #expect(try pages() == ["page.html"] && command.exists("page.html"))
  }

  @Test func `a run learns how its cells end if its caller ignores its children's ends`() throws {
    try command.shell(
      """
      timeout 60 env --ignore-signal=CHLD \(CommandRun.executable("faulty-topobench").path) \
        --scenario \(CommandRun.fewCities) --topology crashing --trials 1 --quiet --output a.csv
      """, expecting: 3)
    let error = try #require(command.cells("a.csv").first).error
    #expect(error.contains("crashes on purpose"), "\(error)")
  }
}
