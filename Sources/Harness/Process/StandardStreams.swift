package import Foundation
import SystemPackage

// A standard stream may be closed, or lead to a full disk or a reader that goes away. The exit
// status tells whether the answer arrived. A lost message is no error.

package enum StandardStreams {
  /// Makes a write to a pipe without a reader fail; otherwise it would end the process. Call it
  /// first.
  ///
  /// A stream that was closed at the process's start is the null device (CLinux). A process that
  /// inherited the order to ignore its children's ends could not learn their statuses.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGCHLD, SIG_DFL)
  }

  package static func say(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  package static func read() throws(UsageError) -> Data {
    do {
      return try FileHandle.standardInput.readToEnd() ?? Data()
    } catch {
      throw UsageError(
        "cannot read standard input: \(FileError.reason(error)); connect it to a file or a pipe")
    }
  }
}

package struct StandardOutput: Sendable {
  private let file: FileDescriptor

  package init() { file = .standardOutput }

  private init(_ file: FileDescriptor) { self.file = file }

  /// Redirects standard output to standard error. Only the returned value writes to the original
  /// one.
  package static func reserve() throws(HarnessError) -> StandardOutput {
    let original = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
    guard original >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw lost("standard output", Errno(rawValue: errno))
    }
    return StandardOutput(FileDescriptor(rawValue: original))
  }

  /// - Parameters:
  ///   - what: names the text in the error.
  ///   - isOptional: whether a reader may go away early, as `head` does, without an error.
  package func write(
    _ text: String, _ what: String = "the answer", isOptional: Bool = true
  ) throws(HarnessError) {
    do {
      _ = try file.writeAll(text.utf8)
    } catch Errno.brokenPipe where isOptional {
      return
    } catch {
      throw Self.lost(what, error)
    }
  }

  private static func lost(_ what: String, _ error: any Error) -> HarnessError {
    HarnessError("\(what) was lost: cannot write to standard output: \(FileError.reason(error))")
  }
}
