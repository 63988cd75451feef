import Foundation
import Support

/// A kind of call that one process of a command makes for one file.
struct CallKind: Hashable, CustomStringConvertible {
  /// In the order in which they began, from 0 for the command.
  let process: Int
  /// Such as `openat`.
  let name: String
  /// Without what differs between runs, or nothing.
  let file: String

  /// - Parameter file: as the kernel names it. A path in the folder begins there; of others, which
  ///   machines and checkouts have elsewhere, the last part is kept: `/libc.so.#`.
  init(process: Int, name: String, file: String, in folder: String) {
    self.process = process
    self.name = name
    var file = file[...]
    if file.hasPrefix(folder + "/") {
      file = file.dropFirst(folder.count + 1)
    } else if file.hasPrefix("/"), let last = file.lastIndex(of: "/") {
      file = file[last...]
    }
    let identifier = /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9]+/
    // Memory without a file is told from other by its size.
    if !file.hasPrefix("anonymous ") { file.replace(identifier, with: "#") }
    self.file = String(file)
  }

  fileprivate init?(_ parts: ArraySlice<Substring>) {
    guard parts.count >= 3, let process = parts.first.flatMap({ Int($0) }) else { return nil }
    self.process = process
    name = String(parts[parts.startIndex + 1])
    file = parts.dropFirst(2).joined(separator: ":")
  }

  var description: String { "\(process):\(name):\(file)" }
}

/// One call of a command, in the order of time: `0:rename:a.csv.topobench-draft:1`.
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

  /// Lines of a number and a kind.
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

  /// Draws a name, of its kinds one, and of its calls one, so that rare calls are drawn as often as
  /// others.
  ///
  /// Kinds and calls get numbers from a hash, and the least wins. What only one machine does
  /// therefore changes no draw but those that it wins. Calls for no file of the command are drawn
  /// without their count, which depends on time; there may be too few.
  func call(
    of names: [String], in processes: ClosedRange<Int>, using random: inout SplitMix64
  ) -> CountedCall? {
    var names = names
    while !names.isEmpty {
      let name = names.remove(at: random.next(below: names.count))
      let salt = random.next()
      let found = kinds.keys.filter { $0.name == name && processes.contains($0.process) }
      if let kind = found.min(by: { $0.hash(salt) < $1.hash(salt) }) {
        return CountedCall(kind, number(of: kind, kind.hash(salt)))
      }
    }
    return nil
  }

  private func number(of kind: CallKind, _ salt: UInt64) -> Int {
    var random = SplitMix64(seed: salt)
    guard kind.isForOwnFile else { return 1 + random.next(below: 1 << random.next(below: 6)) }
    let hashes = (1...kinds[kind]!).map { number in
      var random = SplitMix64(seed: salt, stream: UInt64(number))
      return (random.next(), number)
    }
    return hashes.min { $0.0 < $1.0 }!.1
  }
}

extension CallKind {
  /// Other files begin with a slash, and others have no path: `pipe:[#]`.
  fileprivate var isForOwnFile: Bool {
    !(file.isEmpty || file.hasPrefix("/") || file.hasPrefix("anonymous ") || file.contains(":["))
  }

  // FNV-1a, as in RFC 9923, mixed.
  fileprivate func hash(_ salt: UInt64) -> UInt64 {
    let hash = "\(self)".utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    var random = SplitMix64(seed: salt ^ hash)
    return random.next()
  }
}
