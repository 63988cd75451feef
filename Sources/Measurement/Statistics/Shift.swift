extension Statistics {
  /// The shift of the signed-rank test: the median of the means of all pairs of values, each value
  /// paired with itself too (Hodges and Lehmann 1963). Nil for an empty list.
  package static func hodgesLehmann(_ values: [Double]) -> Double? {
    ShiftSteps(walsh: values).median()
  }

  /// Holm's adjusted p-values, in the given order. If each is compared with α, the chance of any
  /// false alarm stays below α, for every dependence between the tests (Holm 1979).
  package static func holm(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var largest = 0.0
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (place, index) in order.enumerated() {
      largest = max(largest, min(1, Double(pValues.count - place) * pValues[index]))
      adjusted[index] = largest
    }
    return adjusted
  }
}
