import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct CellCSVDecoderTests {
  private func decode(_ bytes: [UInt8], pieces: [Int]) -> (cells: [CellResult], error: CSVError?) {
    var decoder = CellCSVDecoder()
    var cells: [CellResult] = []
    var start = 0
    var turn = 0
    do throws(CSVError) {
      while start < bytes.count {
        let end = min(bytes.count, start + pieces[turn % pieces.count])
        try decoder.feed(bytes[start..<end]) { cell, _ in cells.append(cell) }
        (start, turn) = (end, turn + 1)
      }
      try decoder.finish { cell, _ in cells.append(cell) }
      return (cells, nil)
    } catch {
      return (cells, error)
    }
  }

  private func sample() -> [UInt8] {
    var odd = CellResult.sample(trial: 2)
    odd.label = "two\r\nlines, \"quoted\" 🏙️"
    let lines = CellCSV.text([.sample(), odd, .sample(trial: 3)])
    let text =
      "\u{FEFF}" + lines + "\r\n\n" + lines.split(separator: "\n").joined(separator: "\r\n")
    return Array(text.utf8)
  }

  @Test(arguments: [[1], [2], [3], [7], [1, 64], [1000]])
  func `pieces of any size decode to the same cells`(pieces: [Int]) throws {
    let whole = try CellCSV.decode(sample())
    #expect(whole.count == 6)
    let (cells, error) = decode(sample(), pieces: pieces)
    #expect(cells == whole)
    #expect(error == nil)
  }

  @Test(arguments: [[1], [5], [300], [100_000]])
  func `errors have the same line and column for pieces of any size`(pieces: [Int]) {
    var random = Random(seed: 11)
    for _ in 0..<40 {
      var bytes = sample()
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255)
      let whole = decode(bytes, pieces: [bytes.count])
      let parts = decode(bytes, pieces: pieces)
      #expect(parts.error == whole.error)
      #expect(parts.cells == whole.cells)
    }
  }

  @Test func `a cell is decoded as soon as its line is complete`() throws {
    var decoder = CellCSVDecoder()
    var trials: [Int] = []
    let text = CellCSV.text([.sample(trial: 1), .sample(trial: 2)])
    try decoder.feed(text.utf8.dropLast()) { cell, _ in trials.append(cell.trial) }
    #expect(trials == [1])
    #expect(decoder.line == 3 && decoder.cells == 1)
    try decoder.finish { cell, _ in trials.append(cell.trial) }
    #expect(trials == [1, 2])
  }

  @Test(arguments: [UInt8(ascii: "x"), UInt8(ascii: "\""), UInt8(ascii: ","), 0])
  func `decoding stops after a line of one megabyte`(byte: UInt8) {
    let piece = [UInt8](repeating: byte, count: 1 << 16)
    var decoder = CellCSVDecoder()
    var fed = 0
    #expect(throws: CSVError.self) {
      while fed < 100_000_000 {
        try decoder.feed(piece) { _, _ in }
        fed += piece.count
      }
    }
    #expect(fed <= 2 << 20)
  }

  @Test func `an endless line after good ones is reported with its line number`() {
    let line = [UInt8](repeating: UInt8(ascii: "y"), count: 3 << 20)
    let (cells, error) = decode(Array(CellCSV.text([.sample()]).utf8) + line, pieces: [1 << 16])
    #expect(cells.count == 1)
    #expect(
      error?.description
        == "line 3, column 1: a line of more than 1 MiB; is this a CSV file?")
  }

  @Test func `a quotation in a message is short and has no control characters`() {
    var cell = CellResult.sample()
    cell.label = "x"
    let row = CellCSV.row(cell)
    let text =
      CellCSV.header
      + row.replacing(",ok,", with: ",\u{1B}[2J" + String(repeating: "z", count: 90_000) + ",")
    #expect(throws: CSVError.self) { try CellCSV.decode(text) }
    do {
      _ = try CellCSV.decode(text)
    } catch {
      #expect(error.message.count < 200)
      #expect(error.message.contains("unknown status `\\u{1B}[2Jzzz"))
    }
  }
}
