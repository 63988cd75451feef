import Judging

extension SweptValue {
  /// `10,000`, `0.1`, `all`
  var label: String { number.map(Axis.label) ?? text }
}
