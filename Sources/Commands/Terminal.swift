import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What standard output and standard error are.
enum Terminal {
  static var isStandardOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isStandardError: Bool { isatty(STDERR_FILENO) == 1 }

  /// The width of the terminal; nil if it is none.
  static var columns: Int? { size(of: STDOUT_FILENO)?.columns }

  /// The size, now, of the terminal that standard error is; nil while it belongs to another
  /// program, because this one was sent to the background.
  static var drawable: ProgressPen.Size? {
    let owner = tcgetpgrp(STDERR_FILENO)
    // A terminal that controls nobody here, such as one that messages were sent to, has no owner.
    guard owner < 0 || owner == getpgrp() else { return nil }
    return size(of: STDERR_FILENO) ?? ProgressPen.Size(columns: 80, rows: 24)
  }

  private static let wasContinued = Atomic(false)

  /// Hears of it from now on when this process goes on after it was stopped.
  static func noticeContinuing() {
    // Made now: where a signal interrupts, nothing may be.
    wasContinued.store(false, ordering: .relaxed)
    signal(SIGCONT) { _ in Terminal.wasContinued.store(true, ordering: .relaxed) }
  }

  /// Whether it went on since this was last asked: then the shell has written in between.
  static func hasContinued() -> Bool { wasContinued.exchange(false, ordering: .relaxed) }

  private static func size(of file: Int32) -> ProgressPen.Size? {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return ProgressPen.Size(
      columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
