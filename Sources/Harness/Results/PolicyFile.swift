import Foundation
package import Judging
import Measurement
package import Support
import SystemPackage

// Documentation/Explanation/Judging.md shows a policy file with every kind of entry.

package enum PolicyFile {
  /// - Throws: `FILE:LINE: field 'x.y': what is wrong, and what is allowed`.
  package static func read(_ path: String) throws(InputError) -> Policy {
    let bytes: Data
    do {
      if FileSystem.isFolder(URL(fileURLWithPath: path)) { throw Errno.isDirectory }
      // At most a byte more than a policy may hold.
      let file = try FileDescriptor.open(path, .readOnly)
      bytes = try file.closeAfter {
        try FileHandle(fileDescriptor: file.rawValue).read(upToCount: largest + 1) ?? Data()
      }
    } catch {
      throw InputError(
        .file(path, line: nil),
        "cannot be read: \(FileError.reason(error)); --policy names a YAML file, such as the one in "
          + "Documentation/Explanation/Judging.md")
    }
    guard bytes.count <= largest else {
      throw InputError(.file(path, line: nil), "is no YAML text of at most \(largest >> 20) MiB")
    }
    return try decode(String(utf8: [UInt8](bytes), file: path), file: path)
  }

  /// An empty file asks for nothing. `file` names the text in messages.
  package static func decode(_ yaml: String, file: String) throws(InputError) -> Policy {
    var policy = Policy()
    guard let root = try LocatedNode(yaml: yaml, from: .file(file, line: nil)), !root.isNull else {
      return policy
    }
    let members = try root.members(named: entries)
    for (name, node) in members where !node.isNull {
      switch name {
      case "only": policy.only = try node.list(LocatedNode.topology)
      case "gate": policy.gated = try node.list(LocatedNode.gatedMetric)
      case "floors": policy.rules = try node.rules()
      case "inexact":
        policy.inexactCounts = try node.list(LocatedNode.inexactCount)
        policy.named += try node.named(policy.inexactCounts) { ([$0.topology], $0.scenario) }
      case "limits":
        policy.limits = try node.list(LocatedNode.limit)
        policy.named += try node.named(policy.limits) { ([$0.topology], $0.scenario) }
      case "expectations":
        policy.expectations = try node.list(LocatedNode.expectation)
        policy.named += try node.named(policy.expectations) {
          ([$0.better, $0.worse], $0.scenario)
        }
      default:
        policy.waivers = try node.list(LocatedNode.waiver)
        policy.named += try node.named(policy.waivers) { ([$0.topology], $0.scenario) }
      }
    }
    if let floors = members.first(where: { $0.name == "floors" }) {
      try floors.node.requireEffect(in: policy)
    }
    return policy
  }

  private static let largest = 1 << 20

  static let entries = ["gate", "floors", "inexact", "limits", "expectations", "waivers", "only"]
  static let floorFields = ["relative", "absolute", "margin"]
  static let inexactFields = ["metric", "topology", "scenario", "reason"]
  static let waiverFields = ["metric", "topology", "scenario", "at_most", "reason", "until"]
}

extension LocatedNode {
  fileprivate func list<Value>(
    _ value: (LocatedNode) -> () throws(InputError) -> Value
  ) throws(InputError) -> [Value] {
    let items = try items("a list, each item on a line of its own after '- '")
    return try items.map { (item) throws(InputError) in try value(item)() }
  }

  /// The topologies that the entries name, each with its entry's place.
  fileprivate func named<Entry>(
    _ entries: [Entry], _ names: (Entry) -> (topologies: [String?], scenario: String?)
  ) throws(InputError) -> [Policy.NamedTopology] {
    zip(try items("a list"), entries).flatMap { node, entry in
      let (topologies, scenario) = names(entry)
      return topologies.compactMap(\.self).map {
        Policy.NamedTopology($0, in: scenario, at: node.origin, field: node.path)
      }
    }
  }

  /// Refuses a floor that has no effect, such as for an ungated metric: its author expects an
  /// effect.
  fileprivate func requireEffect(in policy: Policy) throws(InputError) {
    let gated = Set((Gate.defaultMetrics + policy.gated).map(\.name))
    let exact = Set(Metrics.exactCounts).subtracting(policy.inexactCounts.map(\.metric)).map(\.name)
    for (name, floor) in isNull ? [] : try members() {
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
