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

  /// The first row of the progress, without a message that the terminal has broken.
  private func line(_ screen: [String]) -> String {
    screen.first { $0.contains("of 6 cells") } ?? ""
  }

  @Test(.enabled(if: Tmux.isInstalled, Tmux.missing))
  func `a run shows one line, which Ctrl-C removes`() throws {
    let terminal = try Tmux(
      command, columns: 100, rows: 30, script: stuckRun("env -u NO_COLOR LC_ALL=C.UTF-8"))
    let screen = try terminal.screen(showing: "2 of 6 cells").filter { !$0.isEmpty }
    #expect(screen.count == 2, "\(screen)")
    #expect(screen[0].hasPrefix("2 trials are too few to rank 3 topologies"))
    #expect(
      screen[1].wholeMatch(
        of: /2 of 6 cells, 1 failed; last: (crashing crashed|main-only [\d.]+ ms blocked)/) != nil,
      "\(screen)")
    try terminal.type("C-c")
    try terminal.waitUntilOver()
    let after = try terminal.screen(history: true)
    #expect(after.contains("Interrupted: 2 of 6 cells are kept."), "\(after)")
    #expect(after.contains("status 130"))
    #expect(!after.contains { $0.contains("last:") || $0.contains("^C") }, "\(after)")
    #expect(try terminal.isCursorVisible)
  }

  @Test(.enabled(if: Tmux.isInstalled, Tmux.missing))
  func `a narrow terminal cuts the line, and a narrower one is clean afterwards`() throws {
    let terminal = try Tmux(
      command, columns: 40, rows: 12, script: stuckRun("env NO_COLOR=1 LC_ALL=C"))
    let screen = try terminal.screen(showing: "2 of 6 cells")
    #expect(line(screen).hasPrefix("2 of 6 cells, 1 failed; last: "))
    #expect(line(screen).count == 39 && line(screen).hasSuffix("..."), "\(screen)")
    #expect(try !terminal.screen(escapes: true).contains { $0.contains("\u{1B}") })
    // The terminal breaks the line.
    try terminal.resize(columns: 30, rows: 12)
    try terminal.type("C-c")
    try terminal.waitUntilOver()
    let after = try terminal.screen(history: true)
    #expect(after.contains { $0.hasPrefix("Interrupted: 2 of 6 cells are") }, "\(after)")
    #expect(after.contains("status 130"))
    #expect(!after.contains { $0.contains("last:") || $0.contains("...") }, "\(after)")
  }

  @Test(.enabled(if: Tmux.isInstalled, Tmux.missing))
  func `a run that was stopped and continued draws below the shell's output`() throws {
    let run = stuckRun("env LC_ALL=C.UTF-8").replacing("echo", with: "echo the shell; fg; echo")
    let terminal = try Tmux(command, columns: 100, rows: 30, script: "set -m\n" + run)
    _ = try terminal.screen(showing: "2 of 6 cells")
    try terminal.type("C-z")
    _ = try terminal.screen(following: "the shell", showing: "2 of 6 cells")
    try terminal.type("C-c")
    try terminal.waitUntilOver()
    let after = try terminal.screen()
    #expect(after.contains("the shell") && after.contains("status 130"), "\(after)")
  }
}

// MARK: - What a run writes

extension ProgressTests {
  /// Standard error of a run on a terminal.
  private func written(
    _ arguments: [String], _ environment: [String: String], by name: String = "topobench"
  ) throws -> String {
    // Swift's Glibc lacks posix_openpt, unlockpt and ptsname.
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    var (number, isLocked) = (Int32(-1), Int32(0))
    let (getNumber, setLock) = (UInt(0x8004_5430), UInt(0x4004_5431))
    try #require(
      ioctl(terminal, setLock, &isLocked) == 0 && ioctl(terminal, getNumber, &number) == 0)
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    let process = command.process(arguments, command: name)
    // Keeps a sanitizer's settings, and drops the terminal's.
    process.environment = ProcessInfo.processInfo.environment
      .filter { ["PATH", "TSAN_OPTIONS"].contains($0.key) }.merging(environment) { $1 }
    process.standardError = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    try process.run()
    process.waitUntilExit()
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = read(terminal, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    close(terminal)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `progress is not drawn if disabled or impossible`() throws {
    let small = CommandRun.small() + ["--force"]
    let drawn = try written(small, ["TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"])
    #expect(drawn.contains("\u{1B}[J") && !drawn.contains(/\u{1B}\[[0-9;]*m/))
    for (arguments, environment) in [
      (["--no-progress"], ["TERM": "xterm"]), (["--quiet"], ["TERM": "xterm"]),
      ([], ["TERM": "dumb", "CI": "1"]),
    ] {
      let text = try written(small + arguments, environment)
      let rows = arguments == ["--quiet"] ? "" : "Rows: "
      #expect(text.hasPrefix(rows) && text.isEmpty == rows.isEmpty, "\(text)")
      #expect(!text.contains("\u{1B}"))
    }
  }

  @Test func `sensitivity shows the line, and clears it`() throws {
    let text = try written(
      [
        "sensitivity", "--scenario", CommandRun.fewCities, "--set", "data.rows=20", "--topology",
        "main-only", "--topology", "notification-merge", "--no-confirm",
      ], ["TERM": "xterm"], by: "topobench-lab")
    #expect(text.contains("\r0 of 2 cells\u{1B}[J\r"), "\(text)")
    #expect(text.hasSuffix("\r \u{1B}[J\r"), "\(text)")
  }
}
