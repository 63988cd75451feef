import Support
import Foundation
import Measurement
import MeasurementSamples
import Testing

@Suite struct CellCSVTests {
  private func full() -> CellResult {
    .sample { cell in
      (cell.gitSHA, cell.parameters) = ("abc", #"{"saves":10}"#)
      (cell.objects, cell.inserts, cell.updates, cell.deletes) = (5000, 901, 1826, 901)
      (cell.saves, cell.repeats, cell.horizon, cell.seed) = (8, 12, 1000, .max)
      for metric in Metrics.all {
        if metric.kind == .label {
          cell.metrics[label: metric] = "merge, mostly"
        } else {
          cell.metrics[metric.name] = metric.kind == .count ? 17 : 1234.567
        }
      }
    }
  }

  @Test func `a decoded cell equals the encoded one`() throws {
    #expect(try CellCSV.decode(CellCSV.text([full()])) == [full()])
    let bare = CellResult.sample(blocked: nil)
    #expect(try CellCSV.decode(CellCSV.text([bare])) == [bare])
  }

  @Test
  func `milliseconds have three decimals, counts have none, and unmeasured values are empty`() {
    var cell = CellResult.sample(blocked: 1.0 / 3, metrics: ["main_commits": 4, "total_ms": 0])
    cell.metrics["main_statements"] = 2.5
    cell.metrics["main_waiting_ms"] = -0.0001
    let fields = CellCSV.row(cell).dropLast().split(
      separator: ",", omittingEmptySubsequences: false)
    func field(_ name: String) -> Substring? {
      CellCSV.columns.firstIndex(of: name).map { fields[$0] }
    }
    #expect(fields.count == CellCSV.columns.count)
    #expect(field("main_blocked_ms") == "0.333")
    #expect(field("total_ms") == "0.000")
    #expect(field("main_commits") == "4")
    #expect(field("main_statements") == "2.500")
    #expect(field("main_waiting_ms") == "0.000")
    #expect(field("saved_ms") == "")
  }

  @Test(arguments: [
    "a,b", "say \"no\"", "\"", "\"\"", "two\nlines", "two\r\nlines", "\r", "=1+1", "+cmd|' /C'!A0",
    "-2+3", "@SUM(A1)", "\t=1", " padded ", "<script>alert(1)</script>", "\u{202E}desrever",
    "日本語, 🏙️", "\u{FEFF}bom", "nul\0byte", "schema", "e\u{301}\"e\u{301}", "",
    String(repeating: "long ", count: 5000),
  ])
  func `hostile text comes back identical`(text: String) throws {
    let cell = CellResult.sample {
      ($0.label, $0.error) = (text, text)
      $0.metrics[label: .longestGapCause] = text.isEmpty ? nil : text
    }
    let decoded = try CellCSV.decode(CellCSV.text([cell, cell]))
    #expect(decoded == [cell, cell])
    #expect(decoded.first.map { Array($0.label.unicodeScalars) } == Array(text.unicodeScalars))
  }

  @Test func `a formula begins with an apostrophe, a negative number does not`() {
    var cell = CellResult.sample()
    cell.label = "=1"
    cell.metrics["main_ui_ms"] = -3
    #expect(CellCSV.row(cell).contains(",'=1,"))
    #expect(CellCSV.row(cell).contains(",-3.000,"))
  }

  @Test func `files can be concatenated, with CRLF, blank lines and a byte order mark`() throws {
    let one = CellCSV.text([.sample(trial: 1)])
    let two = CellCSV.text([.sample(trial: 2)]).split(separator: "\n").joined(separator: "\r\n")
    let trials = try CellCSV.decode("\u{FEFF}" + one + "\n" + two + "\r\n\r\n" + one).map(\.trial)
    #expect(trials == [1, 2, 1])
  }

  @Test func `columns are found by name, unknown ones are ignored, missing ones are not measured`()
    throws
  {
    var lines = CellCSV.text([.sample()]).split(separator: "\n").map(String.init)
    let columns = CellResult.identityColumns.count
    func cut(_ line: String) -> String {
      line.split(separator: ",", omittingEmptySubsequences: false)[..<columns]
        .joined(separator: ",")
    }
    // main_blocked_ms and an unknown column come first
    lines[0] = "schema,new,main_blocked_ms," + cut(lines[0]).dropFirst("schema,".count)
    lines[1] = "topobench/3,\"x,y\",7.5," + cut(lines[1]).dropFirst("topobench/3,".count)
    let cell = try #require(try CellCSV.decode(lines.joined(separator: "\n")).first)
    #expect(cell.metrics["main_blocked_ms"] == 7.5)
    #expect(cell.metrics["total_ms"] == nil)
    #expect(cell.topology == "main-only")
  }

  private func error(_ text: String) -> String {
    do {
      _ = try CellCSV.decode(text)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private func row(_ changes: [String: String]) -> String {
    let fields = CellCSV.row(.sample()).dropLast().split(
      separator: ",", omittingEmptySubsequences: false)
    let changed = zip(CellCSV.columns, fields).map { changes[$0] ?? String($1) }
    return CellCSV.header + changed.joined(separator: ",") + "\n"
  }

  @Test func `an error names the line, the column and the expected value`() {
    let file = CellCSV.text([.sample()])
    #expect(error("") == "line 1, column 1: empty; a report begins with a header row")
    #expect(error("a,b\n1,2\n").hasPrefix("line 1, column 1: no header row"))
    #expect(
      error("schema,label\n")
        == "line 1, column 1: the header has no column `run_id`; is this a report of topobench?")
    #expect(
      error(String(file.dropLast(CellCSV.columns.count + 10)))
        == "line 2, column 56: the row has 10 fields, its header \(CellCSV.columns.count); "
        + "is it cut off? Remove the row, or measure again")
    #expect(
      error(row(["schema": "topobench/9"]))
        == "line 2, column 1: unknown schema `topobench/9`. Known: topobench/3. "
        + "Read it with the topobench that wrote it, or measure again")
    #expect(
      error(row(["schema": "topobench/2"]))
        == "line 2, column 1: unknown schema `topobench/2`. Known: topobench/3. "
        + "Convert it with scripts/convert-report FILE")
    #expect(
      error(row(["status": "fine"])).hasSuffix(
        "unknown status `fine`. Known: ok, wrong, crashed, timeout, suspect"))
    #expect(error(row(["trial": "-1"])).hasSuffix("trial: `-1` is not a whole number from 0 on"))
    #expect(error(row(["seed": ""])).hasSuffix("seed is empty"))
    #expect(
      error(row(["run_id": "é\"x"])).hasPrefix("line 2, column 14: a quote inside an unquoted"))
    #expect(error(row(["run_id": "\"x\"y"])).hasPrefix("line 2, column 16: text after the closing"))
    #expect(
      error(row(["run_id": "\"x"])).hasSuffix(
        "column 13: the quote is never closed; is the file cut off?"))
    #expect(error(row(["label": "\"a\nb\"", "trial": "x"])).hasPrefix("line 3, column"))
  }

  @Test(arguments: ["nan", "inf", "-infinity", "0x10", "1e999", "1,5", "1.2.3", ".", "-", "1 "])
  func `a value that is not a finite decimal number is an error`(text: String) {
    let message = error(row(["total_ms": "\"\(text)\""]))
    let expected = "total_ms: `\(text)` is not a number (what was not measured is empty)"
    #expect(message.hasSuffix(expected), "\(message)")
  }

  @Test func `a number is the same in a cell's document and in its row`() throws {
    let json = #"{"main_blocked_ms": 0.86451, "total_ms": 1e90}"#
    let values = try JSONDecoder().decode(MetricValues.self, from: Data(json.utf8))
    #expect(values["main_blocked_ms"] == 0.865 && values["total_ms"] == 1e90)
  }

  @Test(arguments: ["1e101", "-1.7e308", "1e-101", "5e-324", "-30", "-0.5"])
  func `an implausible number is an error`(
    text: String
  ) throws {
    let message = error(row(["total_ms": text]))
    #expect(
      message.hasSuffix("total_ms: `\(text)` is no figure of a machine; is the file damaged?"))
    let json = #"{"total_ms": \#(text)}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MetricValues.self, from: Data(json.utf8))
    }
  }

  @Test(arguments: ["0.1", "12345.678", "1e3", "0.5", "123456789012345678", "0.30000000000000004"])
  func `numbers are decoded to the last digit`(text: String) throws {
    let cell = try #require(try CellCSV.decode(row(["total_ms": text])).first)
    #expect(cell.metrics["total_ms"] == Double(text))
  }

  @Test func `binary junk and endless lines are errors, not crashes`() {
    #expect(throws: CSVError.self) { try CellCSV.decode([0xFF, 0xFE, 0x00, 0x0A]) }
    #expect(throws: CSVError.self) {
      try CellCSV.decode(Array(repeating: UInt8(ascii: "x"), count: 5_000_000))
    }
    #expect(throws: CSVError.self) {
      try CellCSV.decode([UInt8(ascii: "\"")] + Array(repeating: 0x22, count: 4_000_001))
    }
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      var bytes = Array(CellCSV.text([.sample(), .sample()]).utf8)
      for _ in 0..<3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
      }
      _ = try? CellCSV.decode(bytes)
    }
  }

  @Test func `text that is not UTF-8 is an error with line and column`() {
    var bytes = Array(row(["label": "x"]).utf8)
    bytes[bytes.lastIndex(of: UInt8(ascii: "x")) ?? 0] = 0xC3
    #expect(throws: CSVError.self) { try CellCSV.decode(bytes) }
  }

  @Test func `a cell's JSON uses the names of the columns`() throws {
    let data = try JSONEncoder().encode(full())
    #expect(try JSONDecoder().decode(CellResult.self, from: data) == full())
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"scenario_digest\"") && text.contains("\"horizon_ms\""))
  }
}
