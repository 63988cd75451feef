import ObjectGraph
import Queues
import TestSupport
import Testing
import Topologies

/// Main and workers below one root, as in `root-hybrid`. Root saves when the test says so.
private final class SharedRoot: ContextTopology {
  static let descriptor = TopologyDescriptor(
    name: "shared-root", wiring: "worker → root ← main", summary: "Root saves by hand.",
    make: { try SharedRoot($0) })

  let stack: ContextStack
  let root: ManagedObjectContext
  private let workers = WorkerQueues()

  init(_ environment: TopologyEnvironment) throws {
    (stack, root) = try ContextStack.mainOnRoot(environment)
    root.observeDidSave { [weak stack] save in stack?.onMain { try $0.mergeFiringFaults(save) } }
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workers[writer], savingInto: .context(root))
    try await worker.perform {
      try work(worker)
      try worker.obtainPermanentIDs(for: worker.insertedObjects)
      try worker.save()
    }
  }
}

@Suite struct StaleInsertTests {
  // worker   inserts 900 ─▶             changes 900 ─▶
  // main                    reads 900                                 merges, keeps its old values
  // root                                               saves: 900 is new
  @Test func `a merge leaves an object stale that main read before root inserted it`() async throws
  {
    let bench = try Bench(SharedRoot.descriptor)
    let shared = try #require(bench.topology as? SharedRoot)
    let main = shared.main
    try await shared.load()
    try await shared.apply([.insert(City.values(900, "draft"))])
    let object = try main.performAndWait {
      try #require(try main.fetch(FetchRequest(City.entity, where: City.key == 900)).first)
    }
    #expect(main.performAndWait { object[City.name] } == "draft")

    let rename = FieldChange(index: City.name.index, value: .string("final"))
    try await shared.apply([.update(key: .int64(900), fields: [rename])])
    try await shared.root.perform { try shared.root.save() }
    try await shared.settle()
    #expect(try bench.stored().contains { $0[1] == .string("final") })
    #expect(main.performAndWait { object[City.name] } == "draft")

    try main.performAndWait { try main.refresh(object, mergeChanges: false) }
    #expect(main.performAndWait { object[City.name] } == "final")
    try await bench.close()
  }
}
