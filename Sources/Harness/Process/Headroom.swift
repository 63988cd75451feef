import CLinux
import Foundation

/// Checks that this process can open files and start threads. Without descriptors Dispatch ends the
/// process without a message. Without threads it waits for ever. A small stack ends it by a signal.
package enum Headroom {
  /// The files that the check opens: more than any cell does. With fewer, SQLite would blame the
  /// folder.
  static let files = 64
  /// The threads that the check starts: as many as a run and its cell have together.
  static let threads: Int32 = 24

  /// In KiB. Apple gives a thread that is not the main one as much.
  static let stack = 512

  /// Checks the stacks' size, opens and closes the files, and starts and ends the threads.
  ///
  /// - Throws: `HarnessError` with the limit to raise.
  package static func check() throws(HarnessError) {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(stack * 1024)
    {
      throw HarnessError(
        "a thread has a stack of \(limit.rlim_cur / 1024) KiB; allow more with `ulimit -s 8192`")
    }
    let copies = (0..<files).map { _ in dup(STDIN_FILENO) }
    for copy in copies where copy >= 0 { close(copy) }
    guard !copies.contains(-1) else {
      throw HarnessError(
        "this process cannot open \(files) more files; allow them with `ulimit -n 256`")
    }
    let error = clinux_try_threads(threads)
    guard error == 0 else {
      // The reason of a file would name another topobench.
      let reason = String(cString: strerror(error)).lowercased()
      throw HarnessError(
        "this process cannot start \(threads) threads (\(reason));"
          + " allow more processes with `ulimit -u`, or more memory with `ulimit -v`")
    }
  }
}
