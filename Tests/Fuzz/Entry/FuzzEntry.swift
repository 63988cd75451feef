import Foundation
import FuzzedReaders

// libFuzzer keeps inputs that reach new code. FUZZ_READER names the reader. libFuzzer stops if the
// reader crashes, hangs, uses too much memory, or violates its guarantees.

private let reader: FuzzedReader = {
  let name = ProcessInfo.processInfo.environment["FUZZ_READER"] ?? ""
  guard let reader = FuzzedReader(rawValue: name) else {
    let known = FuzzedReader.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("FUZZ_READER: unknown reader '\(name)'. Known: \(known)")
  }
  return reader
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  reader.read(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
