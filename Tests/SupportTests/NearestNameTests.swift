import Testing

@testable import Support

struct NearestNameTests {
  static let names = ["5000-cities", "5000-cities-replace", "patients", "per_save", "stream"]

  @Test(arguments: [
    ("5000-citie", "5000-cities"), ("5000_cities", "5000-cities"), ("5000-CITIES", "5000-cities"),
    ("5000-cities-replce", "5000-cities-replace"), ("patient", "patients"),
    ("per_svae", "per_save"), ("steram", "stream"),
  ])
  func `a slip finds the intended name`(slip: String, meant: String) {
    #expect(NearestName.closest(to: slip, in: Self.names) == meant)
  }

  @Test func `a text of any length is compared only as far as names go`() {
    let long = String(repeating: "city", count: 100_000)
    #expect(NearestName.closest(to: long, in: [long + "x", "city"]) == nil)
    #expect(NearestName.closest(to: "city", in: [long, "citi"]) == "citi")
  }

  @Test(arguments: ["earthquakes", "x", "", "zzzzzzzz"])
  func `a text far from every name has no nearest name`(text: String) {
    #expect(NearestName.closest(to: text, in: Self.names) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "xabc", 1),
    ("abc", "acb", 1), ("kitten", "sitting", 3), ("", "four", 4),
  ])
  func `edits are counted`(a: String, b: String, edits: Int) {
    #expect(NearestName.edits(from: Array(a), to: Array(b)) == edits)
    #expect(NearestName.edits(from: Array(b), to: Array(a)) == edits)
  }

  @Test func `a part of a name finds the shortest name with it`() {
    let names = ["notification-merge", "root-main-private", "root-main-private-nowait"]
    #expect(NearestName.closest(to: "notification", in: names) == "notification-merge")
    #expect(NearestName.closest(to: "root", in: names) == "root-main-private")
    #expect(NearestName.closest(to: "private", in: names) == "root-main-private")
    #expect(NearestName.closest(to: "ro", in: names) == nil)
  }
}
