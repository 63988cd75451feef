import ObjectGraph
import Support
import Workload

extension ModelQuery {
  /// A predicate whose `$text` is what the user has typed. Without a format, it finds nothing.
  func search(
    _ format: String?, of field: String
  ) throws(InputError) -> @Sendable (String) -> FetchPredicate {
    guard let format else { return { _ in .false } }
    guard try predicate(format, of: field, text: "a") != predicate(format, of: field, text: "b")
    else { throw scenario.error(field, message: "needs `$text`, what the user has typed") }
    guard (try? predicate(format, of: field, text: "(")) != nil else {
      throw scenario.error(
        field,
        message: "must accept any typed text, but '(' is no regular expression; use CONTAINS")
    }
    return { [self] text in
      guard let predicate = try? predicate(format, of: field, text: text) else {
        preconditionFailure("a predicate that accepts '(' accepts any text")
      }
      return predicate
    }
  }
}

extension StoreTable {
  /// The first text attribute that the predicate compares, or the entity's first. An index in the
  /// data files.
  func typedAttribute(of predicate: FetchPredicate) -> Int {
    let texts = rows.attributes.indices.filter { rows.attributes[$0].type == .string }
    let compared = Set(predicate.ownColumns)
    return texts.first { compared.contains(columns[$0]) } ?? texts.first ?? rows.keyIndex
  }
}

extension FetchPredicate {
  /// The columns of the tested object that decide it.
  var ownColumns: [Int] {
    switch self {
    case .true, .false, .some: []
    case .compare(let column, _, _), .isIn(let column, _): [column]
    case .test(let test):
      [test.left, test.right].compactMap {
        if case .path(let path) = $0 { path.ownColumn } else { nil }
      }
    case .and(let parts), .or(let parts): parts.flatMap(\.ownColumns)
    case .not(let part): part.ownColumns
    }
  }
}
