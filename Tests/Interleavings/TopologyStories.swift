import DataModel
import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Topologies

extension Story {
  /// Two workers, main's reads and main's edit, in every topology whose queues are this package's.
  static let topologies: [Story] = Topologies.builtIn.filter { $0.kind != .peer }.flatMap {
    topology in
    topology.storeModes.flatMap { mode in
      let name = "\(topology.name),\(mode.rawValue)"
      return [
        Story(
          name: "\(name),two-writers", prepare: { try SmallStore.prepare() },
          body: .task { try await TopologyStory(topology, mode, $0).tellOfTwoWriters() }),
        Story(
          name: "\(name),exact", prepare: { try SmallStore.prepare() },
          body: .task { try await TopologyStory(topology, mode, $0).tellOfOneWriter() }),
      ]
    }
  }

  static let objectStores: [Story] = Topologies.builtIn.filter { $0.name == "root-hybrid" }.flatMap
  {
    topology in
    topology.storeModes.map { mode in
      Story(
        name: "contexts,object-store,\(mode.rawValue)", prepare: { try SmallStore.prepare() },
        body: .task { try await TopologyStory(topology, mode, $0).tellOfObjectStore() })
    }
  }
}
