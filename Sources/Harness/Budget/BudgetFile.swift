package import Measurement
import SystemPackage

// What a project asks and accepts, in one file that it commits:
//
//   gate: [main_longest_block_ms]                 gated beside main_blocked_ms and the exact counts
//   floors:                                       in the place of the default ones
//     main_blocked_ms: {relative: 5 %, absolute: 0.2, margin: 15 %}
//   inexact:                                      counts that are judged by statistics, as times are
//     - metric: main_faults_fired
//       topology: refetch
//       reason: what a frame shows is a fault after each reset, and frames follow the clock
//   budgets:                                      promises
//     - root-main-private: main_longest_block_ms <= 16.7
//     - all@5000-cities: frames_late <= 0
//   expectations:                                 the better one first
//     - notification-merge < root-main-private
//     - main_longest_block_ms@5000-cities: notification-merge < main-only
//   waivers:
//     - metric: main_statements
//       topology: parent-child
//       at_most: 3700
//       reason: validation needs a fetch of its own
//       until: 2027-01-31

/// Reads a budget file. Whatever is wrong in it is the caller's mistake, and ends with 64.
package enum BudgetFile {
  /// - Throws: `UsageError`: `FILE:LINE: field 'x.y': what is wrong, and what is allowed`.
  package static func read(_ path: String) throws(UsageError) -> Budget {
    let bytes: [UInt8]
    do {
      bytes = try start(of: path)
    } catch {
      let reason = (error as? Errno).map { FileSystem.Failure(code: $0.rawValue).description }
      throw UsageError(
        "\(path): cannot be read: \(reason ?? "\(error)"); --budget names a YAML file, such as the "
          + "one in Documentation/Judging.md")
    }
    guard bytes.count <= largest, let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("\(path): is no YAML text in UTF-8 of at most \(largest >> 20) MiB")
    }
    return try decode(text, file: path)
  }

  /// - Parameter file: what it is called in messages.
  package static func decode(_ yaml: String, file: String) throws(UsageError) -> Budget {
    let root = try BudgetNode(yaml: yaml, file: file)
    var budget = Budget()
    for (name, node) in try root.fields(allowed: sections) {
      switch name {
      case "gate": budget.gated = try node.list(BudgetNode.gatedMetric)
      case "floors": budget.rules = try node.rules()
      case "inexact": budget.inexactCounts = try node.list(BudgetNode.inexactCount)
      case "budgets": budget.promises = try node.list(BudgetNode.promise)
      case "expectations": budget.expectations = try node.list(BudgetNode.expectation)
      default: budget.waivers = try node.list(BudgetNode.waiver)
      }
    }
    try root.requireEffect(of: budget)
    return budget
  }

  static let sections = ["gate", "floors", "inexact", "budgets", "expectations", "waivers"]

  private static let largest = 1 << 20

  /// As much as a budget may hold, and a byte more.
  private static func start(of path: String) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly)
    return try file.closeAfter {
      try [UInt8](unsafeUninitializedCapacity: largest + 1) { buffer, count in
        var left = UnsafeMutableRawBufferPointer(buffer)[...]
        while !left.isEmpty {
          let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: left))
          if read == 0 { break }
          left = left.dropFirst(read)
          count += read
        }
      }
    }
  }
}

extension BudgetNode {
  /// A floor for what is not gated does nothing, and its author believes that it does.
  fileprivate func requireEffect(of budget: Budget) throws(UsageError) {
    let gated = Set(Gate.defaultMetrics + budget.gated)
    let exact = Set(Metrics.exactCounts).subtracting(budget.inexactCounts.map(\.metric))
    guard let floors = try members().first(where: { $0.0 == "floors" })?.1 else { return }
    for (name, floor) in try floors.members() {
      guard !exact.contains(name) else {
        throw floor.error(
          "an exact count has no floor: accept an increase by a waiver, or name it under 'inexact' "
            + "where it depends on scheduling")
      }
      guard gated.contains(name) else {
        throw floor.error("is not gated; name it in 'gate: [\(name)]' as well")
      }
    }
  }
}
