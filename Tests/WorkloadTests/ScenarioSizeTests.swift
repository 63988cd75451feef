import Support
import Testing

@testable import Workload

struct ScenarioSizeTests {
  private static func load(
    _ more: String, set: [String] = [], size: ScenarioSize = .smoke
  ) throws -> [Scenario] {
    try Scenario.decode(
      yaml: Generated.yaml + "\n" + more, file: "small.yaml", set: set, size: size)
  }

  @Test func `the smoke size sets its fields, which are parameters then`() throws {
    let smoke = "smoke: { generate.rows: 50, changes.per_save: [1, 5] }"
    let full = try Self.load(smoke, size: .full)
    #expect(full.count == 1 && full[0].generation?.rows == 100 && full[0].parameters.isEmpty)
    let small = try Self.load(smoke)
    #expect(small.map(\.changes.perSave) == [1, 5])
    #expect(small[0].parametersJSON == #"{"changes.per_save":1,"generate.rows":50}"#)
    let again = try Self.load(smoke, set: small[1].overrides, size: .full)
    #expect(again.map(\.parametersJSON) == [small[1].parametersJSON])
  }

  @Test func `--set has precedence over the smoke size`() throws {
    let smoke = "smoke: { generate.rows: 50, changes.per_save: 5 }"
    let scenario = try #require(try Self.load(smoke, set: ["generate.rows=60"]).first)
    #expect(scenario.generation?.rows == 60 && scenario.changes.perSave == 5)
  }

  @Test(arguments: [
    (
      "smoke: 5", 17,
      "'5' is of the wrong type; must be a mapping of dotted fields to values, such as `changes.per_save: 5`"
    ),
    (
      "smoke:\n  per_save: 5", 18,
      "unknown field 'per_save'. Did you mean 'changes.per_save'? Known: asks_about, data.before,"
    ),
    (
      "smoke:\n  entity.name: X", 18,
      "'entity.name' describes the data; state it in the scenario file itself"
    ),
    ("smoke:\n  generate.rows: few", 18, "'few' is of the wrong type; must be none, or a whole"),
  ])
  func `an invalid smoke size is an error with and without --smoke`(
    yaml: String, line: Int, message: String
  ) {
    for size in [ScenarioSize.full, .smoke] {
      let error = #expect(throws: InputError.self) { try Self.load(yaml, size: size) }
      #expect(error?.message.hasPrefix(message) == true, "\(String(describing: error))")
      #expect(error?.origin == .file("small.yaml", line: line))
    }
  }

  @Test func `a scenario without a smoke size says so when asked for it`() {
    let error = #expect(throws: InputError.self) { try Self.load("trials: 1") }
    #expect(error?.field == "smoke")
  }

  @Test func `one field at a time varies while the others stay at their first value`() throws {
    let sweep = """
      drawing: { delta_us: [0, 1, 2], reload_us: [0, 9] }
      changes: { per_save: [5, 50] }
      """
    #expect(try Self.load(sweep, size: .full).count == 12)
    let each = try Self.load("sweep: one-at-a-time\n" + sweep, size: .full)
    let values = each.map { scenario in
      [scenario.changes.perSave ?? 0, scenario.drawing.delta.microseconds]
        + [scenario.drawing.reload.microseconds]
    }
    #expect(values == [[5, 0, 0], [50, 0, 0], [5, 1, 0], [5, 2, 0], [5, 0, 9]])
    #expect(Set(each.map(\.parameters.count)) == [3], "every row says what it was measured with")
  }

  @Test func `sweeps with too many combinations are refused`() throws {
    func refusal(_ set: [String]) -> String? {
      do {
        _ = try Scenario.decode(yaml: Small.yaml, file: "a.yaml", set: set)
        return nil
      } catch {
        return error.description
      }
    }
    let many = (1...1_001).map(String.init).joined(separator: ", ")
    #expect(refusal(["changes.per_save=[\(many)]"])?.contains("1001 values; 1 to 1000") == true)
    let some = (1...22).map(String.init).joined(separator: ", ")
    let three = ["changes.per_save", "trials", "horizon_ms"].map { "\($0)=[\(some)]" }
    #expect(refusal(three)?.contains("more than 10000 combinations") == true)
    let each = try Self.load("sweep: one-at-a-time", set: three, size: .full)
    #expect(each.count == 1 + 3 * 21)
  }
}

extension Duration {
  fileprivate var microseconds: Int { Int(self / .microseconds(1)) }
}
