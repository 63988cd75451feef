import Foundation

/// The system's evidence that two runs had the same machine.
///
///   real machine      machine-id, CPU, network cards     clones of one image differ by their cards
///   virtual machine   boot, CPU, network cards           a clone may have the image's machine-id
///   container         none: it has no network card, and often no machine-id
struct MachineIdentity {
  var machineID: String?
  /// Random at each start of the kernel.
  var bootID: String?
  var cpu: String?
  /// Nil if unknown.
  var isVirtual: Bool?
  /// MAC addresses of network cards, real or of the virtual machine.
  var cards: [String]

  /// A digest that is equal on one machine, and on machines resumed from one snapshot. Nil without
  /// evidence.
  var hostID: String? {
    let own = isVirtual == false ? machineID ?? bootID : bootID
    guard let own, let cpu, !cards.isEmpty else { return nil }
    return Self.digest([own, cpu] + cards.sorted())
  }

  /// A digest of the boot. Containers of one machine share it.
  var boot: String? { bootID.map { Self.digest([$0]) } }

  /// FNV-1a, which reveals none of the texts.
  private static func digest(_ texts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in texts.joined(separator: "|").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }
}

extension Machine {
  /// Read once: every line of a plan needs it.
  static let identity = MachineIdentity(
    machineID: identifier("/etc/machine-id"),
    bootID: identifier("/proc/sys/kernel/random/boot_id"), cpu: cpu, isVirtual: isVirtual,
    cards: networkCards)

  package static var hostID: String? { identity.hostID }

  private static func identifier(_ path: String) -> String? {
    text(path).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Only a card has a device. Bridges and the interfaces of containers do not.
  private static var networkCards: [String] {
    let folder = "/sys/class/net"
    return FileSystem.names(in: folder).filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)/device")
    }
    .compactMap { identifier("\(folder)/\($0)/address") }
  }
}
