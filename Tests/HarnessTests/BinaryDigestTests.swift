import Foundation
import Testing

@testable import Harness

@Suite struct BinaryDigestTests {
  private let folder = TemporaryFolder()

  private func digest(_ bytes: [UInt8]) throws -> String? {
    let file = folder.url.appendingPathComponent("file")
    try Data(bytes).write(to: file)
    return BinaryDigest.of(file.path)
  }

  @Test func `files that differ in one bit or in length have different digests`() throws {
    let bytes = [UInt8](repeating: 0, count: 27)
    var seen = Set([try digest(bytes), try digest(bytes + [0]), try digest([])])
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] = 1 << bit
        seen.insert(try digest(other))
      }
    }
    #expect(seen.count == 3 + 27 * 8)
    #expect(!seen.contains(nil))
  }

  @Test func `a missing file has no digest`() {
    #expect(BinaryDigest.of("/no/such/file") == nil)
    #expect(Machine.binaryDigest != nil)
  }
}
