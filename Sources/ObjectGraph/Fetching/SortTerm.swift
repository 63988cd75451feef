/// One criterion of a sort order. Values compare by `Value.order(relativeTo:)`: null first, text by
/// its bytes or as `comparison` says.
public struct SortTerm: Hashable, Sendable {
  /// A column of the object, or of the object at the end of `steps`.
  public var attribute: Int
  public var isAscending: Bool
  /// Differences that the comparison of text ignores.
  public var options: TextOptions = []
  public var comparison = TextComparison.bytes
  /// The columns of the to-one relationships on the way.
  package var steps: [Int] = []

  public init(_ attribute: Int, isAscending: Bool = true) {
    self.attribute = attribute
    self.isAscending = isAscending
  }

  package init(_ path: PredicatePath, isAscending: Bool, options: TextOptions = []) {
    guard let column = path.column, path.level == 0 else {
      fatalError("a sort term needs a path that ends at an attribute")
    }
    self.init(column, isAscending: isAscending)
    self.options = options
    self.steps = path.steps.map { step in
      guard case .toOne(let column) = step else {
        fatalError("a sort term cannot follow a to-many relationship")
      }
      return column
    }
  }

  /// The same order, with texts compared as readers expect.
  public func localized(_ comparison: TextComparison = .localized) -> SortTerm {
    var term = self
    term.comparison = comparison
    return term
  }

  package var path: PredicatePath {
    PredicatePath(steps.map { .toOne(column: $0) }, column: attribute)
  }
}

extension [SortTerm] {
  /// Negative if `a` comes first, 0 if equal.
  ///
  /// - Precondition: no term follows a relationship; otherwise use `key(of:)`.
  public func order(_ a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    for term in self {
      require(term.steps.isEmpty, "a row has no related values: sort by key(of:)")
      let order = term.order(a[term.attribute], b[term.attribute])
      if order != 0 { return order }
    }
    return 0
  }

  /// For the values from `key(of:)`.
  func order(ofKeys a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    for (index, term) in enumerated() {
      let order = term.comparison.order(a[index], b[index])
      if order != 0 { return term.isAscending ? order : -order }
    }
    return 0
  }

  var isOfRow: Bool { allSatisfy(\.steps.isEmpty) }

}

extension SortTerm {
  func order(_ a: Value, _ b: Value) -> Int {
    let order =
      options.isEmpty
      ? comparison.order(a, b) : comparison.order(a.folded(options), b.folded(options))
    return isAscending ? order : -order
  }
}
