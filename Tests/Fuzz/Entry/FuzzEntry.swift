import Foundation
import FuzzedReaders

// libFuzzer makes inputs, keeps those that reach new code, and stops at one on which the reader that
// FUZZ_READER names crashes, hangs, takes too much memory, or does not keep what it promises.

private let reader: FuzzedReader = {
  let name = ProcessInfo.processInfo.environment["FUZZ_READER"] ?? ""
  guard let reader = FuzzedReader(rawValue: name) else {
    let known = FuzzedReader.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("FUZZ_READER: unknown reader '\(name)'. Known: \(known)")
  }
  return reader
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  reader.read(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
