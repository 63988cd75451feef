import ObjectGraph
import Queues
import TestSupport
import Testing
import Topologies

/// Wirings of actors, asynchronous writes and coalesced refreshes.
@Suite struct WiringsOf2026Tests {
  private static let renaming = Change.update(
    key: .int64(20), fields: [FieldChange(index: 1, value: .string("renamed"))])

  private func descriptor(_ name: String) throws -> TopologyDescriptor {
    try #require(Topologies.builtIn.first { $0.name == name })
  }

  /// Applies one insert a batch while a block holds main, and returns the number of reloads.
  private func reloads(_ name: String) async throws -> Int {
    let reloads = Lock(0)
    let bench = try Bench(
      descriptor(name), listDidChange: { _ in reloads.withLock { $0 += 1 } })
    try await bench.topology.load()
    let (isHeld, mayGoOn) = (ChargedSemaphore(value: 0), ChargedSemaphore(value: 0))
    bench.main.async {
      isHeld.signal()
      mayGoOn.wait(as: .other)
    }
    isHeld.wait(as: .other)
    for key in 200..<203 as Range<Int64> {
      try await bench.topology.apply([.insert(City.values(key, "new"))])
    }
    mayGoOn.signal()
    try await bench.topology.settle()
    #expect(bench.shown().count == 43)
    try await bench.close()
    return reloads.withLock { $0 }
  }

  @Test func `saves that come while a refresh is pending share it`() async throws {
    #expect(try await reloads("refetch") == 3)
    #expect(try await reloads("refetch-coalesced") == 1)
  }

  @Test func `an actor's import looks up each change by itself, and saves once`() async throws {
    for (name, fetches) in [("notification-merge", 1), ("context-actor", 3)] {
      let bench = try Bench(descriptor(name))
      try await bench.topology.load()
      bench.main.sync { bench.main.openWindow() }
      let changes = (1...3 as ClosedRange<Int64>).map {
        Change.update(key: .int64($0), fields: [FieldChange(index: 2, value: .int64(0))])
      }
      try await bench.topology.apply(changes)
      try await bench.topology.settle()
      let recording = bench.main.sync { bench.main.closeWindow() }
      #expect(recording.counts[.commits] == nil)
      // Three updated rows are written by one statement each.
      #expect(recording.workerStatements == fetches + 3, "\(name)")
      try await bench.close()
    }
  }

  private static func counts(
    _ topology: any Topology, until isImported: Lock<Bool>
  ) async throws -> Int {
    var counts = 0
    while !isImported.withLock({ $0 }) {
      #expect(try await topology.count(Bench.byName) == 40)
      counts += 1
    }
    return counts
  }

  @Test func `counts come between the calls of an actor's import`() async throws {
    try await Bench.with(try descriptor("context-actor")) { bench in
      let topology = bench.topology
      let isImported = Lock(false)
      async let counts = Self.counts(topology, until: isImported)
      // One block of changes would let one count pass before it, and one after it.
      try await topology.apply(
        (0..<2000).map {
          .update(key: .int64(1 + $0 % 40), fields: [FieldChange(index: 2, value: .int64($0))])
        })
      isImported.withLock { $0 = true }
      #expect(try await counts > 2)
    }
  }

  @Test func `an actor discards an import that fails`() async throws {
    try await Bench.with(try descriptor("context-actor")) { bench in
      await #expect(throws: ChangeError.self) {
        try await bench.topology.apply([Self.renaming, .delete(key: .int64(999))])
      }
      try await bench.topology.apply([.delete(key: .int64(1))])
      #expect(try bench.stored().count == 39)
      #expect(!(try bench.stored().contains { $0[1] == .string("renamed") }))
    }
  }

  @Test func `a model actor that was created on main writes on main`() async throws {
    for (name, commits) in [("swiftdata", nil), ("swiftdata-on-main", 1)] as [(String, Int?)] {
      try await Bench.with(try descriptor(name)) { bench in
        bench.main.sync { bench.main.openWindow() }
        try await bench.topology.apply([Self.renaming])
        try await bench.topology.settle()
        let recording = bench.main.sync { bench.main.closeWindow() }
        #expect(recording.counts[.commits] == commits, "\(name)")
      }
    }
  }

  @Test func `an asynchronous edit leaves main free, and settling waits for it`() async throws {
    try await Bench.with(try descriptor("grdb-pool-async")) { bench in
      let topology = bench.topology
      bench.main.sync { bench.main.openWindow() }
      try bench.main.sync { try topology.editOnMain([Self.renaming]) }
      try await topology.settle()
      let recording = bench.main.sync { bench.main.closeWindow() }
      #expect(recording.counts[.commits] == nil)
      #expect(bench.shown().contains { $0[1] == .string("renamed") })
    }
  }

  @Test func `settling throws the error of an asynchronous edit`() async throws {
    let bench = try Bench(descriptor("grdb-pool-async"))
    let topology = bench.topology
    try await topology.load()
    try bench.main.sync { try topology.editOnMain([.delete(key: .int64(999))]) }
    await #expect(throws: ChangeError.self) { try await topology.settle() }
    try await bench.closeUnsettled()
  }

  @Test func `a queue runs an actor's jobs, and blocks between them`() async {
    let queue = PrivateQueue(label: "actor")
    let actor = Noting(queue)
    await actor.note("first")
    queue.async { actor.assumeIsolated { $0.notes.append("block") } }
    await actor.note("second")
    #expect(await actor.notes == ["first", "block", "second"])
    #expect(await actor.isOnQueue)
  }
}

private actor Noting {
  private let queue: PrivateQueue
  private let executor: QueueExecutor
  var notes: [String] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ queue: PrivateQueue) {
    self.queue = queue
    executor = QueueExecutor(queue)
  }

  var isOnQueue: Bool { queue.isCurrent }

  func note(_ text: String) { notes.append(text) }
}
