import Testing

@testable import Reports

@Suite struct TopologiesPartTests {
  @Test func `the page says what other libraries call the topologies that it shows`() throws {
    var report = ReportPage(SamplePages.four)
    report.topologies = ["parent-child", "not-measured"].map {
      TopologiesList.Entry(
        name: $0, marks: [], picture: "worker → main", knownAs: ["a child of viewContext"],
        summary: "Saves into main.", mainCosts: "", chooseWhen: "")
    }
    let page = try ParsedPage.of(report.html)
    let section = try #require(
      page.all("details").first { $0.attributes["id"] == "topologies" })
    #expect(section.text.contains("parent-child"))
    #expect(section.text.contains("a child of viewContext. Saves into main."))
    #expect(!section.text.contains("not-measured"))
  }
}
