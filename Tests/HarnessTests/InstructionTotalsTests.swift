import Testing

@testable import Harness

@Suite struct InstructionTotalsTests {
  @Test func `the threads that counted on main are main, all others are workers`() {
    let totals = InstructionTotals([
      "thread: 3\nfn=(1) clinux_toggle_main_count\n8 1\ntotals: 1200\n",
      "thread: 4\nfn=(1) clinux_toggle_worker_count\n8 1\ntotals: 300\n",
      "thread: 5\nfn=(1) clinux_toggle_worker_count\n8 1\ntotals: 40\n",
      "thread: 1\ntotals: 0\n",
    ])
    #expect(totals.main == 1200 && totals.workers == 340)
  }

  @Test func `a part of main's work, or all of it, may have no instructions`() {
    let nothing = InstructionTotals([])
    #expect(nothing.areCounts(of: "push-up") && !nothing.areCounts(of: "all"))
    #expect(InstructionTotals(["totals: 7"]).areCounts(of: "all"))
  }
}
