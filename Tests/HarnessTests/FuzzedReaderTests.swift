import Support
import Foundation
import FuzzedReaders
import Testing

@testable import Harness

// A short form of scripts/fuzz: no input may crash the program.

@Suite struct FuzzedReaderTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../Fuzz").standardizedFileURL

  private func inputs(in name: String, of reader: FuzzedReader) throws -> [[UInt8]] {
    let folder = Self.folder.appendingPathComponent("\(name)/\(reader.rawValue)")
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try [UInt8](Data(contentsOf: folder.appendingPathComponent($0)))
    }
  }

  @Test(arguments: FuzzedReader.allCases)
  func `every reader survives the inputs that once were too much for it`(
    reader: FuzzedReader
  ) throws {
    for bytes in try inputs(in: "Found", of: reader) { bytes.withUnsafeBytes(reader.read) }
  }

  @Test(arguments: FuzzedReader.allCases)
  func `every reader survives its seeds, whole, truncated and corrupted`(
    reader: FuzzedReader
  ) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    let seeds = try inputs(in: "Seeds", of: reader)
    #expect(seeds.count > 1)
    // Printed first, since a crash prints nothing.
    print("\(reader): spoilt with seed \(seed)")
    for bytes in seeds {
      bytes.withUnsafeBytes(reader.read)
      for _ in 0..<20 { spoilt(bytes, using: &random).withUnsafeBytes(reader.read) }
    }
  }

  /// Truncates the bytes and inserts some that have a meaning in some format.
  private func spoilt(_ bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = Array(bytes.prefix(.random(in: 1...bytes.count, using: &random)))
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      bytes[.random(in: 0..<bytes.count, using: &random)] =
        Self.telling.randomElement(using: &random) ?? 0
    }
    return bytes
  }

  private static let telling = Array("\",\n\r:-[]{}&*0 \u{FEFF}\u{0}é".utf8)
}
