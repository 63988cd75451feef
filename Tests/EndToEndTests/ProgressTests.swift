import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Progress, on terminals", .timeLimit(.minutes(2)))
struct ProgressTests {
  private let command = CommandRun()

  /// One cell crashes, one takes 0.8 s, one never ends.
  private func stuckRun(_ environment: String) -> String {
    """
    \(environment) "\(CommandRun.executable("faulty-topobench").path)" \\
      --scenario \(CommandRun.fewCities) --topology main-only --topology crashing --topology deadlocking \\
      --trials 2 --seed 3 --set data.rows=150 --set repeat_for_ms=800 --output a.csv >/dev/null
    echo "status $?"
    """
  }

  @Test(.enabled(if: Tmux.isInstalled, Tmux.missing))
  func `100 columns show a line for each topology, which Ctrl-C removes`() throws {
    let terminal = try Tmux(
      command, columns: 100, rows: 30, script: stuckRun("env -u NO_COLOR LC_ALL=C.UTF-8"))
    let screen = try terminal.screen(showing: "▸ deadlocking")
    let lines = try screen.filter { !$0.isEmpty }.map {
      try $0.replacing(Regex(#"\d+(\.\d+)?( %| s| min \d+ s|)"#), with: "N")
    }
    #expect(lines.count == 7, "\(screen)")
    #expect(lines[0].hasPrefix("N trials are too few to rank N topologies: N are needed"))
    #expect(lines[1].hasPrefix("few-cities, pool store  done  blocked ms "))
    #expect(lines[1].hasSuffix("  failed"))
    #expect(screen[2].hasPrefix("  main-only              1/2 ") && screen[2].contains("  █████"))
    #expect(screen[3].hasPrefix("▸ deadlocking            0/2"))
    #expect(screen[4].hasPrefix("  crashing               1/2") && screen[4].hasSuffix("     1"))
    #expect(lines[5] == "N of N cells · N left · N failed")
    #expect(lines[6] == "noise: others use N of the processor · steal N")
    try terminal.type("C-c")
    try terminal.waitUntilOver()
    let after = try terminal.screen(history: true)
    #expect(after.contains("Interrupted: 2 of 6 cells are kept."), "\(after)")
    #expect(after.contains("status 130"))
    #expect(!after.contains { $0.contains("▸") || $0.contains("^C") || $0.contains(" cells ·") })
    #expect(try terminal.isCursorVisible)
  }

  @Test(.enabled(if: Tmux.isInstalled, Tmux.missing))
  func `40 columns without colour and UTF-8 are drawn, then 30`() throws {
    let terminal = try Tmux(
      command, columns: 40, rows: 12, script: stuckRun("env NO_COLOR=1 LC_ALL=C"))
    let screen = try terminal.screen(showing: "> deadlocking")
    #expect(screen.allSatisfy { $0.allSatisfy { $0.isASCII } }, "\(screen)")
    // The terminal breaks the sentence about too few trials.
    #expect(screen.dropFirst(3).allSatisfy { $0.count < 40 }, "\(screen)")
    #expect(try !terminal.screen(escapes: true).contains { $0.contains("\u{1B}") })
    try terminal.resize(columns: 30, rows: 12)
    try terminal.type("C-c")
    try terminal.waitUntilOver()
    // Lines that the terminal has scrolled off cannot be removed.
    let after = try terminal.screen()
    #expect(after.contains { $0.hasPrefix("Interrupted: 2 of 6 cells are") }, "\(after)")
    #expect(after.contains("status 130"))
    #expect(!after.contains { $0.contains("deadlocking") || $0.contains(" left") })
  }
}

extension ProgressTests {
  @Test(.enabled(if: Tmux.isInstalled, Tmux.missing))
  func `a run that was stopped and continued draws below the shell's output`() throws {
    let run = stuckRun("env LC_ALL=C.UTF-8").replacing("echo", with: "echo the shell; fg; echo")
    let terminal = try Tmux(command, columns: 100, rows: 30, script: "set -m\n" + run)
    _ = try terminal.screen(showing: "▸ deadlocking")
    try terminal.type("C-z")
    let screen = try terminal.screen(following: "the shell", showing: "▸ deadlocking")
    #expect(screen.count { $0.contains("▸ deadlocking") } == 2, "\(screen)")
    try terminal.type("C-c")
    try terminal.waitUntilOver()
    let after = try terminal.screen()
    #expect(after.contains("the shell") && after.contains("status 130"), "\(after)")
  }
}

// MARK: - Without progress

extension ProgressTests {
  /// Standard error of a run of one short cell on a terminal.
  private func written(_ arguments: [String] = [], _ environment: [String: String]) throws -> String
  {
    // Swift's Glibc lacks posix_openpt, unlockpt and ptsname.
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    var (number, isLocked) = (Int32(-1), Int32(0))
    let (getNumber, setLock) = (UInt(0x8004_5430), UInt(0x4004_5431))
    try #require(
      ioctl(terminal, setLock, &isLocked) == 0 && ioctl(terminal, getNumber, &number) == 0)
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    let process = command.process(CommandRun.small() + ["--force"] + arguments)
    // Keeps a sanitizer's settings, and drops the terminal's.
    process.environment = ProcessInfo.processInfo.environment
      .filter { ["PATH", "TSAN_OPTIONS"].contains($0.key) }.merging(environment) { $1 }
    process.standardError = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    try process.run()
    process.waitUntilExit()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // The terminal's buffer holds these few lines.
    let count = read(terminal, &bytes, bytes.count)
    close(terminal)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func `progress is not drawn if disabled or impossible`() throws {
    let drawn = try written([], ["TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"])
    #expect(drawn.contains("\u{1B}[K") && !drawn.contains(/\u{1B}\[[0-9;]*m/))
    for (arguments, environment) in [
      (["--no-progress"], ["TERM": "xterm"]), ([], ["TERM": "dumb", "CI": "1"]),
    ] {
      let text = try written(arguments, environment)
      #expect(text.hasPrefix("Rows: ") && !text.contains("\u{1B}"), "\(text)")
    }
  }
}
