import Foundation
import Support
import Testing

@testable import Workload

@Suite("Profiles of devices")
struct DeviceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let profile = """
      name: slate
      source: a talk
      fitted: by hand
      storage: phone
      costs: { statement_us: 250, merge_us: 2.5 }
      """
    try folder.write("devices/slate.yaml", profile)
    try folder.write("devices/odd.yaml", "speed: 3")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/devices/link.yaml",
      withDestinationPath: "\(Shipped.folder)/devices/iphone-6-2018.yaml")
  }

  private func scenario(_ settings: [String]) throws -> Scenario {
    let file = "\(folder.path)/5000-cities.yaml"
    let yaml = try String(
      contentsOfFile: "\(Shipped.folder)/5000-cities.yaml", encoding: .utf8
    ).replacing("data/", with: "\(Shipped.folder)/data/")
    return try #require(try Scenario.decode(yaml: yaml, file: file, set: settings).first)
  }

  @Test func `a scenario names no device and charges nothing`() throws {
    let scenario = try scenario([])
    #expect(scenario.costs.device == nil)
    #expect(scenario.costs.prices.isEmpty)
  }

  @Test func `a profile sets storage and prices, and the digest`() throws {
    let scenario = try scenario(["device=slate"])
    #expect(scenario.costs.device == "slate")
    #expect(scenario.storage == .phone)
    #expect(
      scenario.costs.prices == ["statement": .microseconds(250), "merge": .nanoseconds(2500)])
    #expect(scenario.parametersJSON == #"{"device":"slate"}"#)
    let digests = try [scenario, self.scenario([])].map { try Workload.make($0, seed: 1).digest }
    #expect(digests[0] != digests[1])
  }

  @Test func `a shipped profile works with a scenario in any folder`() throws {
    let scenario = try scenario(["device=iphone-6-2018"])
    #expect(scenario.storage == .phone && !scenario.costs.prices.isEmpty)
  }

  @Test func `a field that is set wins over the profile`() throws {
    let scenario = try scenario(["device=slate", "costs.merge_us=0", "storage=local"])
    #expect(scenario.storage == .local)
    #expect(scenario.costs.prices == ["statement": .microseconds(250)])
  }

  @Test(arguments: [
    ("slat", "unknown device 'slat'. Did you mean 'slate'? Known: ipad-mini-2013, iphone-6-2018,"),
    ("odd", "Allowed in a profile: name"),
    ("../devices/slate", "contains '/'"), ("x/\u{301}", "contains '/'"),
    ("link", "device 'link' lies outside the scenario's folder"),
  ])
  func `a wrong profile is named`(name: String, message: String) throws {
    let error = #expect(throws: InputError.self) { try scenario(["device=\(name)"]) }
    #expect(try #require(error).description.contains(message))
  }
}
