import Testing

@testable import Workload

struct SHA256Tests {
  /// FIPS 180-4 examples and the short vectors of NIST's SHAVS.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `digests agree with NIST's vectors`(text: String, digest: String) {
    #expect(SHA256.hex(of: Array(text.utf8)) == digest)
  }

  @Test func `the digest of one byte agrees with NIST's byte-oriented vector`() {
    #expect(
      SHA256.hex(of: [0xd3]) == "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1")
  }

  @Test func `the digest of a million letters fed in pieces agrees with NIST's`() {
    var hash = SHA256()
    for _ in 0..<1000 { hash.update([UInt8](repeating: 0x61, count: 1000)) }
    #expect(
      hash.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `pieces of any length give the same digest`() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for length in 0...200 {
      let whole = SHA256.hex(of: Array(bytes[..<length]))
      for cut in stride(from: 0, through: length, by: 7) {
        var hash = SHA256()
        hash.update(Array(bytes[..<cut]))
        hash.update(Array(bytes[cut..<length]))
        #expect(hash.finish() == whole, "length \(length), cut at \(cut)")
      }
    }
  }
}
