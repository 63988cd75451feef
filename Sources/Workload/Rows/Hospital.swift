import Support

// A hospital as its server reports it, made from a seed. No data of real persons:
//
//   Ward ◀── Bed ◀── Patient ◀── Work ──▶ Nurse ──▶ Ward
//
// At first no patient is marked. A report names the present patients, and the worker marks them. Of
// the patients that the report omits, every third still has open work and stays, not marked.
// The others are deleted.

import DataModel

struct Hospital {
  /// The rows of one entity, with the names of their columns.
  typealias Table = (entity: String, columns: [String], before: [Row], after: [Row])

  private let counts: Generation
  private var random: SplitMix64
  private let wards: Int
  private let beds: Int
  private let nurses: Int

  init(_ counts: Generation) {
    self.counts = counts
    random = SplitMix64(seed: UInt64(counts.seed), stream: .max - 1)
    wards = counts.rows / 50 + 1
    nurses = counts.rows / 8 + 1
    beds = counts.rows + counts.inserts
  }

  mutating func rows() -> [Table] {
    let touched = counts.touchedNumbers()
    let unnamed = Array(touched.prefix(counts.deletes))
    let staying = Set(unnamed.indices.filter { $0 % 3 == 0 }.map { unnamed[$0] })
    let leaving = Set(unnamed).subtracting(staying)
    let moved = Set(touched.dropFirst(counts.deletes))
    let before = (0..<counts.rows).map { patient($0, bed: $0, isNamed: false) }
    var after: [Row] = []
    for number in 0..<counts.rows where !leaving.contains(number) {
      var row = before[number]
      row[3] = .bool(!staying.contains(number))
      if moved.contains(number) { row[4] = bedKey(random.next(below: beds)) }
      after.append(row)
    }
    after += (counts.rows..<beds).map { patient($0, bed: $0, isNamed: true) }
    let work = work(leaving: leaving, staying: staying)
    let wardRows = (0..<wards).map { [wardKey($0), .string("Ward \($0 + 1)")] as Row }
    let bedRows = (0..<beds).map { [bedKey($0), wardKey($0 % wards)] as Row }
    let nurseRows = (0..<nurses).map { number in
      [.int64(Int64(number + 1)), .string(RowGenerator.words(&random)), wardKey(number % wards)]
        as Row
    }
    return [
      ("Patient", ["id", "name", "admitted", "not_dirty", "bed"], before, after),
      ("Ward", ["code", "title"], wardRows, wardRows),
      ("Bed", ["number", "ward"], bedRows, bedRows),
      ("Nurse", ["id", "name", "ward"], nurseRows, nurseRows),
      ("Work", ["id", "minutes", "done", "patient", "nurse"], work.before, work.after),
    ]
  }

  private mutating func patient(_ number: Int, bed: Int, isNamed: Bool) -> Row {
    [
      .int64(Int64(number + 1)), .string(RowGenerator.words(&random)),
      .date(secondsSince2001: Double(random.next(below: 800_000_000))), .bool(isNamed), bedKey(bed),
    ]
  }

  /// Two pieces of work for each patient. Both are done for leaving patients, and both open for
  /// those that stay unmarked. Of the others' two, the first is done, and the second is done later
  /// or not.
  private mutating func work(
    leaving: Set<Int>, staying: Set<Int>
  ) -> (before: [Row], after: [Row]) {
    var (before, after): ([Row], [Row]) = ([], [])
    for number in 0..<beds {
      for piece in 0..<2 {
        let isDone = leaving.contains(number) || (!staying.contains(number) && piece == 0)
        var row: Row = [
          .int64(Int64(number * 2 + piece + 1)), .int64(Int64(5 + random.next(below: 90))),
          .bool(isDone), .int64(Int64(number + 1)), .int64(Int64(random.next(below: nurses) + 1)),
        ]
        if number < counts.rows { before.append(row) }
        guard !leaving.contains(number) else { continue }
        if !isDone, !staying.contains(number), random.next(below: 2) == 0 { row[2] = .bool(true) }
        after.append(row)
      }
    }
    return (before, after)
  }

  private func wardKey(_ number: Int) -> Value { .string("W\(number + 1)") }
  private func bedKey(_ number: Int) -> Value { .int64(Int64(number + 1)) }
}
