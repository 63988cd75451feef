// The separated pairs of a ranking as letters. Two names have a letter in common exactly if they
// are not separated (Piepho 2004, insert and absorb).
//
//   separated            columns, one letter each
//                        {w x y z}
//   w–y                  {x y z}  {w x z}           a column with both is split
//   w–z                  {x y z}  {w x}             the part {x z} lies in {x y z}, and is absorbed
//   x–z, y–z             {x y}  {z}  {w x}
//   in order of names    A {w x}   B {x y}   C {z}      w A, x AB, y B, z C

enum CompactLetters {
  /// - Parameters:
  ///   - names: the best first.
  ///   - separated: pairs of names, the better one first.
  /// - Returns: the letters of each name.
  static func all(_ names: [String], separated: Set<[String]>) -> [String] {
    var columns = [Set(names.indices)]
    for better in names.indices {
      for worse in names.indices.dropFirst(better + 1)
      where separated.contains([names[better], names[worse]]) {
        columns = split(columns, better, worse)
      }
    }
    let ordered = columns.map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    return names.indices.map { name in
      ordered.enumerated().filter { $1.contains(name) }.map { letter($0.offset) }.joined()
    }
  }

  private static func split(_ columns: [Set<Int>], _ better: Int, _ worse: Int) -> [Set<Int>] {
    let parts = columns.flatMap { column in
      column.isSuperset(of: [better, worse])
        ? [column.subtracting([better]), column.subtracting([worse])] : [column]
    }
    return parts.sorted { $0.count > $1.count }.reduce(into: []) { kept, part in
      if !kept.contains(where: part.isSubset) { kept.append(part) }
    }
  }

  /// A to Z, then A2 to Z2: a digit belongs to the letter before it, so `AA2` are two letters.
  private static func letter(_ index: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(index % 26)))
    return index < 26 ? letter : "\(letter)\(index / 26 + 1)"
  }
}
