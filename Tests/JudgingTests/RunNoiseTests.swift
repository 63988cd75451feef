import Judging
import Measurement
import Testing

@Suite struct RunNoiseTests {
  private func spread(_ raw: [[Double]]) -> Double? { RunNoise(raw: raw, processor: nil).spread }

  @Test func `each section is compared with its own median`() throws {
    // 10 and 1000 are other work, not noise.
    let share = try #require(spread([[9.5, 10, 10.5], [950, 1000, 1050]]))
    #expect(abs(share - 0.0375) < 1e-9)
    #expect(spread([[10, 10], [1000, 1000]]) == 0)
  }

  @Test func `a few cells show no noise`() {
    #expect(spread([]) == nil)
    #expect(spread([[1], [2], [3], [4], [5]]) == nil)
    #expect(spread([[1, 2, 3]]) == nil)
    #expect(spread([[0, 0, 0, 0]]) == nil)
  }

  @Test func `time taken by others, or a spread of a tenth, is doubtful`() {
    func isDoubtful(_ raw: [Double], _ others: Double, _ stolen: Double) -> Bool {
      RunNoise(raw: [raw], processor: ProcessorShare(others: others, stolen: stolen)).isDoubtful
    }
    let (calm, restless) = ([1, 1.01, 0.99, 1], [0.7, 1.3, 0.7, 1.3])
    #expect(!isDoubtful(calm, 0.05, 0.005))
    #expect(isDoubtful(restless, 0, 0))
    #expect(isDoubtful(calm, 0.2, 0))
    #expect(isDoubtful(calm, 0, 0.02))
  }
}
