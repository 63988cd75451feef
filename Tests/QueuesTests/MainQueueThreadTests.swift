import Queues
import Testing

@Suite("The main queue on its thread")
struct MainQueueThreadTests {
  private struct Refusal: Error {}

  @Test func `a block that a worker waits for runs on main, and its result and error come back`()
    throws
  {
    let main = SimulatedMainQueue()
    main.start()
    defer { main.stop() }
    // Often enough that main, letting go of a block late, would be caught at it.
    for number in 0..<2_000 {
      #expect(main.sync { main.isCurrent ? number : -1 } == number)
    }
    #expect(!main.isCurrent)
    #expect(throws: Refusal.self) { try main.sync { throw Refusal() } }
  }
}
