extension Statistics {
  /// The shift that belongs to the signed-rank test: the median of the means of all pairs of
  /// values, each value with itself included (Hodges and Lehmann 1963); nil of nothing.
  package static func hodgesLehmann(_ values: [Double]) -> Double? {
    ShiftSteps(walsh: values).median()
  }

  /// Holm's adjusted p-values, in the order given: compare each with α and the chance of any false
  /// alarm among them stays below α, however they depend on each other (Holm 1979).
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
