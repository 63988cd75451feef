import CTracing
import Foundation
import SoakSupport

/// A command whose processes stop before their calls. Only the thread that started it may use it.
struct TracedCommand {
  /// Of the calls that can be traced here.
  static let names: [String] = {
    var names: [String] = []
    var next = ctracing_names()
    while let name = next?.pointee {
      names.append(String(cString: name))
      next = next?.advanced(by: 1)
    }
    return names.sorted()
  }()

  /// - Returns: why nothing can be traced; nil if something can.
  static func problem(in base: TrialFolder) throws -> String? {
    let place = try TrialPlace(in: base, named: "trace")
    let traced = try StartedCommand([], program: "/bin/true", tracing: [], in: place)
    return traced.awaitEnd() == .status(0) && !place.log.isEmpty ? nil : traced.said
  }

  /// Waits before its call.
  struct StoppedThread {
    let number, process: Int32
    /// As the kernel names it.
    let file: String

    fileprivate init(_ call: ctracing_call) {
      (number, process, file) = (call.thread, call.process, String(cString: call.file))
    }
  }

  /// What happens next.
  enum Event {
    case call(CallKind, StoppedThread)
    case nothing
    /// With the status of `waitpid`.
    case end(Int32)
  }

  let number: Int32
  /// In the order in which they began.
  private(set) var processes: [Int32]
  private let folder = FileManager.default.currentDirectoryPath
  private var status: Int32 = 0

  /// - Parameter names: of the calls before which a thread stops.
  init(_ arguments: [String], names: [String]) throws {
    let texts = (arguments + names).map { strdup($0) }
    defer { for text in texts { free(text) } }
    let given = texts.prefix(arguments.count) + [nil]
    let traced = texts.suffix(names.count).map { UnsafePointer($0) } + [nil]
    number = ctracing_start(Array(given), traced)
    guard number > 0 else {
      throw Unsound("nothing can be traced: \(String(cString: strerror(-number)))")
    }
    processes = [number]
  }

  /// - Parameter waits: false to return if nothing has happened.
  mutating func next(waits: Bool) -> Event {
    var call = ctracing_call()
    switch ctracing_next(&call, &status, waits) {
    case ctracing_stopped:
      return .call(kind(of: call), StoppedThread(call))
    case ctracing_waiting: return .nothing
    default: return .end(status)
    }
  }

  private mutating func kind(of call: ctracing_call) -> CallKind {
    if !processes.contains(call.process) { processes.append(call.process) }
    return CallKind(
      process: processes.firstIndex(of: call.process) ?? 0, name: String(cString: call.name),
      file: String(cString: call.file), in: folder)
  }

  /// - Parameter error: instead of the call.
  func goOn(_ thread: StoppedThread, failingWith error: Int32 = 0) {
    ctracing_go_on(thread.number, error)
  }

  /// Ends this process as a command ended.
  static func end(by signal: Int32) -> Never {
    ctracing_end_by(signal)
    fatalError("signal \(signal) did not end the process")
  }

  /// - Parameter thread: waits before its call, and goes no further if the signal stops or ends its
  ///   process. Otherwise it might go on until another thread has taken the signal.
  /// - Returns: whether a process got the signal.
  func send(_ signal: Int32, to target: Ending.Target, at thread: StoppedThread? = nil) -> Bool {
    let cells = processes.dropFirst()
    let targets: [Int32] =
      switch target {
      case .cell: Array(cells)
      case .group: [-number]
      case .runner: [number]
      case .everyone: cells + [number]
      }
    if let thread, targets.map(abs).contains(thread.process) {
      ctracing_send(thread.process, thread.number, signal)
    }
    return targets.count { kill($0, signal) == 0 } > 0
  }
}
