import Queues
import Topologies

/// The topologies that this executable can measure.
enum KnownTopologies {
  static var all: [TopologyDescriptor] { list.withLock { $0 } }

  static func add(_ topologies: [TopologyDescriptor]) { list.withLock { $0 += topologies } }

  private static let list = Lock<[TopologyDescriptor]>(Topologies.builtIn)
}
