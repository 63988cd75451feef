import Foundation
import Testing

/// A real terminal. A test can watch its screen and type into it.
final class Tmux {
  static let missing: Comment = "tmux is not installed; type: sudo apt-get install -y tmux"
  static var isInstalled: Bool { program != nil }

  private static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/tmux" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let run: CommandRun
  /// A socket's path has at most about 100 characters.
  private let socket = "/tmp/topobench-\(UUID().uuidString.prefix(8)).tmux"

  /// - Parameter script: lines for sh. `waitUntilOver` returns when they have ended.
  init(_ run: CommandRun, columns: Int, rows: Int, script: String) throws {
    self.run = run
    try run.write(
      """
      # Ctrl-C is for what the script runs.
      trap : INT
      \(script)
      "\(Self.program ?? "tmux")" -S \(socket) wait-for -S over
      exec cat
      """, to: "script.sh")
    try command(
      "-f", "/dev/null", "-u", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c",
      run.folder.path, "sh script.sh")
  }

  deinit {
    let pane = (try? command("display-message", "-p", "#{pane_pid}")).flatMap {
      pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    _ = try? command("kill-server")
    // The server lives as long as the script's processes. They may ignore the hangup, because they
    // inherit the tests' blocked signals.
    if let pane { kill(pane, SIGKILL) }
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Without trailing spaces; on request with the rows that scrolled off.
  func screen(history: Bool = false, escapes: Bool = false) throws -> [String] {
    let text = try command(
      "capture-pane", "-p", history ? "-S" : "", history ? "-" : "", escapes ? "-e" : "")
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Waits until the screen shows `words`, if given below `line`. Fails after a time limit.
  func screen(following line: String? = nil, showing words: String) throws -> [String] {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
      let screen = try screen()
      let start = line.map { screen.firstIndex(of: $0) ?? screen.count } ?? 0
      if screen[start...].contains(where: { $0.contains(words) }) { return screen }
    }
    Issue.record("'\(words)' is not on the screen: \(try screen())")
    return []
  }

  func type(_ keys: String) throws { try command("send-keys", keys) }

  func resize(columns: Int, rows: Int) throws {
    try command("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  func waitUntilOver() throws { try command("wait-for", "over") }

  var isCursorVisible: Bool {
    get throws { try command("display-message", "-p", "#{cursor_flag}") == "1\n" }
  }

  /// Foundation waits for a process until all holders of a socket have closed it. The server lives
  /// on, so it must not inherit that socket.
  private static let inherited =
    #"for file in /proc/$$/fd/*; do file=${file##*/}; "#
    + #"((file > 2)) && eval "exec $file>&-"; done; exec timeout 30 "$0" "$@""#

  @discardableResult
  private func command(_ arguments: String...) throws -> String {
    let process = run.process(["-c", Self.inherited, Self.program ?? "tmux", "-S", socket])
    process.arguments? += arguments.filter { !$0.isEmpty }
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    var environment = ProcessInfo.processInfo.environment
    environment["TMUX"] = nil
    process.environment = environment
    let outcome = try run.finish(process)
    try #require(outcome.status == 0, "tmux \(arguments): \(outcome.errors)")
    return outcome.output
  }
}
