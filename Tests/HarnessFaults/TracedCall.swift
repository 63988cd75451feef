import Foundation
import Support

/// A kind of call that one process of a command makes for one file.
struct CallKind: Hashable, CustomStringConvertible {
  /// The number of the process in the order of their starts; 0 is the command.
  let process: Int
  /// Such as `openat`.
  let name: String
  /// A path in the command's folder, with `#` for numbers and identifiers. Otherwise `/proc/#` for
  /// files of a process, `/proc` for others in `/proc` and `/sys`, `/` for all other paths, and
  /// nothing for calls without a path.
  let file: String

  /// - Parameter file: as the kernel names it.
  init(process: Int, name: String, file: String, in folder: String) {
    self.process = process
    self.name = name
    if file.hasPrefix(folder + "/") {
      let identifier = /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9]+/
      self.file = String(file.dropFirst(folder.count + 1)).replacing(identifier, with: "#")
    } else if file.hasPrefix("/proc/") || file.hasPrefix("/sys/") {
      self.file = file.prefixMatch(of: /\/proc\/[0-9]/) == nil ? "/proc" : "/proc/#"
    } else {
      self.file = file.hasPrefix("/") ? "/" : ""
    }
  }

  fileprivate init(process: Int, name: String, file: String) {
    (self.process, self.name, self.file) = (process, name, file)
  }

  fileprivate init?(_ parts: ArraySlice<Substring>) {
    guard parts.count >= 3, let process = parts.first.flatMap({ Int($0) }) else { return nil }
    self.process = process
    name = String(parts[parts.startIndex + 1])
    file = parts.dropFirst(2).joined(separator: ":")
  }

  var description: String { "\(process):\(name):\(file)" }
}

/// The first, second, … call of its kind: `0:rename:a.csv.topobench-draft:1`.
struct CountedCall: Equatable, CustomStringConvertible {
  let kind: CallKind
  /// From 1.
  let number: Int

  init(_ kind: CallKind, _ number: Int) { (self.kind, self.number) = (kind, number) }

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Substring($0) }
    guard let kind = CallKind(parts.dropLast()[...]), let number = parts.last.flatMap({ Int($0) })
    else { return nil }
    self.init(kind, number)
  }

  var description: String { "\(kind):\(number)" }
}

/// How many calls of each kind an undisturbed command makes.
struct CallCounts {
  private(set) var kinds: [CallKind: Int] = [:]

  mutating func add(_ kind: CallKind) -> Int {
    kinds[kind, default: 0] += 1
    return kinds[kind]!
  }

  /// A line for each kind: its count, and the kind.
  var text: String { kinds.map { "\($0.value)\t\($0.key)\n" }.sorted().joined() }

  init(_ text: String = "") {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0]),
        let kind = CallKind(parts[1].split(separator: ":", omittingEmptySubsequences: false)[...])
      else { continue }
      kinds[kind] = count
    }
  }

  /// The counts of a run in which no cell was suspect: a suspect cell runs again.
  ///
  /// - Parameters:
  ///   - processes: how many such a run has, with the command.
  ///   - count: runs the command once.
  static func undisturbed(
    processes: Int, count: () throws -> CallCounts
  ) throws -> CallCounts {
    for _ in 0..<20 {
      let counts = try count()
      if counts.kinds.keys.map(\.process).max() == processes - 1 { return counts }
    }
    throw Unsound("a cell was suspect in each of 20 runs; let nothing else run")
  }

  /// The files outside the command's folder, by call. Calls that are not listed have files in the
  /// folder or none.
  private static let otherFiles = [
    "openat": ["/", "/proc", "/proc/#"], "mmap": ["/", ""], "pread64": ["/", "/proc/#"],
    "write": ["/", ""], "fsync": ["/"], "execve": ["/"],
  ]

  /// Draws a name, then a file, then a call, so that rare calls are drawn as often as others.
  ///
  /// Only calls for files in the command's folder are the same in each run, and are drawn by their
  /// counts. The command may make too few of the others.
  func call(
    of names: [String], in processes: ClosedRange<Int>, using random: inout SplitMix64
  ) -> CountedCall? {
    var names = names
    while !names.isEmpty {
      let name = names.remove(at: random.next(below: names.count))
      let made = kinds.filter { $0.key.name == name && processes.contains($0.key.process) }
      if made.isEmpty { continue }
      let own = made.filter { $0.key.isForOwnFile }.sorted { "\($0.key)" < "\($1.key)" }
      let others = Self.otherFiles[name] ?? (own.isEmpty ? [""] : [])
      guard own.isEmpty || !others.isEmpty && random.nextBool() else {
        let (kind, count) = own[random.next(below: own.count)]
        return CountedCall(kind, 1 + random.next(below: count))
      }
      let process = processes.lowerBound + random.next(below: processes.count)
      let file = others[random.next(below: others.count)]
      let number = 1 + random.next(below: 1 << random.next(below: 8))
      return CountedCall(CallKind(process: process, name: name, file: file), number)
    }
    return nil
  }

  /// Limits the count of each kind of one process.
  func limited(to most: Int, of process: Int) -> CallCounts {
    var limited = self
    for (kind, count) in kinds where kind.process == process {
      limited.kinds[kind] = min(count, most)
    }
    return limited
  }
}

extension CallKind {
  fileprivate var isForOwnFile: Bool { !file.isEmpty && !file.hasPrefix("/") }
}
