import Support

/// The part of the unsynced changes that a power cut spares.
enum Survival: String, CaseIterable, Sendable {
  case none, all
  /// The first changes, the last of them in part.
  case first
  /// Any changes, each whole.
  case some
  /// Any sectors of any changes.
  case torn
  /// The same in any order, so that an older write may hide a newer one.
  case reordered
}

/// A file as it is after its last sync, and what was changed since then.
struct DiskFile {
  enum Change {
    case write([UInt8], at: Int)
    case truncate(Int)
  }

  private var synced: [UInt8]
  var pending: [Change] = []
  /// Whether the next sync also syncs the folder.
  var syncsFolder: Bool

  private static let sector = 512

  init(synced: [UInt8] = [], syncsFolder: Bool = false) {
    self.synced = synced
    self.syncsFolder = syncsFolder
  }

  mutating func sync() {
    for change in pending { change.apply(to: &synced) }
    pending = []
  }

  func survivor(_ survival: Survival, using generator: inout SplitMix64) -> [UInt8] {
    var changes = pending
    switch survival {
    case .none: changes = []
    case .all: break
    case .first:
      changes = Array(changes.prefix(generator.next(below: changes.count + 1)))
      if let last = changes.popLast() { changes += Self.torn(last, using: &generator) }
    case .some: changes = changes.filter { _ in generator.nextBool() }
    case .torn: changes = changes.flatMap { Self.torn($0, using: &generator) }
    case .reordered:
      changes = changes.flatMap { Self.torn($0, using: &generator) }
      generator.shuffle(&changes)
    }
    var content = synced
    for change in changes { change.apply(to: &content) }
    return content
  }

  /// Some of the sectors that a change covers.
  private static func torn(_ change: Change, using generator: inout SplitMix64) -> [Change] {
    guard case .write(let bytes, let offset) = change else {
      return generator.nextBool() ? [change] : []
    }
    // A whole write is as likely as one in parts, or none.
    let kind = generator.next(below: 3)
    if kind < 2 { return kind == 0 ? [change] : [] }
    var parts: [Change] = []
    var start = offset
    while start < offset + bytes.count {
      let end = min((start / sector + 1) * sector, offset + bytes.count)
      if generator.nextBool() {
        parts.append(.write(Array(bytes[(start - offset)..<(end - offset)]), at: start))
      }
      start = end
    }
    return parts
  }
}

extension DiskFile.Change {
  /// A gap reads as zeros.
  fileprivate func apply(to content: inout [UInt8]) {
    switch self {
    case .write(let bytes, let offset):
      let end = offset + bytes.count
      if content.count < end {
        content.append(contentsOf: repeatElement(0, count: end - content.count))
      }
      content.replaceSubrange(offset..<end, with: bytes)
    case .truncate(let size):
      if size < content.count { content.removeLast(content.count - size) }
    }
  }
}
