import GRDBSQLite
import ObjectGraph

/// Passed through SQLite to a function.
enum PointerArgument {
  case values(ValueSetArgument)
  case pattern(TextPattern)
}

struct Parameters {
  private var values: [Value] = []
  /// `values` holds null at their indexes.
  private var pointers: [(index: Int, argument: PointerArgument)] = []

  init() {}

  init(_ keys: [Int64]) { values = keys.map { .int64($0) } }

  var count: Int { values.count }

  mutating func append(_ value: Value) { values.append(value) }

  mutating func append(_ argument: PointerArgument) {
    pointers.append((values.count, argument))
    values.append(.null)
  }

  /// Repeats the last value up to `count` values.
  mutating func append(_ list: [Value], paddedTo count: Int) {
    values.append(contentsOf: list)
    values.append(contentsOf: repeatElement(list[list.count - 1], count: count - list.count))
  }

  func bind(to handle: OpaquePointer) {
    for index in values.indices {
      SQLiteStore.bind(values[index], to: handle, at: CInt(index + 1))
    }
    for (index, argument) in pointers {
      switch argument {
      case .values(let values): SQLFunction.bind(values, to: handle, at: CInt(index + 1))
      case .pattern(let pattern): SQLFunction.bind(pattern, to: handle, at: CInt(index + 1))
      }
    }
  }

  /// Resets the statement. Call it before the parameters are destroyed, because it points at them.
  func unbind(from handle: OpaquePointer) {
    sqlite3_reset(handle)
    for (index, _) in pointers { sqlite3_bind_null(handle, CInt(index + 1)) }
  }
}

/// Rounds up to one of eight lengths between powers of two, so that lists of similar length share
/// a statement. Callers repeat the last value to fill the rest.
func paddedCount(_ count: Int) -> Int {
  guard count > 8 else { return count }
  let step = 1 << ((count - 1).bitWidth - (count - 1).leadingZeroBitCount - 4)
  return (count + step - 1) / step * step
}

extension [Int64] {
  /// For one statement each, padded to one of few lengths.
  var boundLists: [[Int64]] {
    stride(from: 0, to: count, by: PredicateSQL.longestBoundList).map { start in
      let keys = Array(self[start...].prefix(PredicateSQL.longestBoundList))
      return keys + repeatElement(keys[0], count: paddedCount(keys.count) - keys.count)
    }
  }
}

func placeholders(_ count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ", ")
}
