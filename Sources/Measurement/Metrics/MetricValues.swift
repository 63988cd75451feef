/// The metrics of one cell: a number, a text or nothing for each ``Metric``.
///
/// The numbers are one array, so that files of a million rows are read in seconds.
package struct MetricValues: Sendable, Hashable {
  // NaN stands for "not measured"; it never leaves this type.
  private var numbers: [Double]
  private var labels: [String: String] = [:]

  package init() {
    numbers = Array(repeating: .nan, count: Metrics.all.count)
  }

  /// - Parameter numbers: one for each metric; NaN means not measured.
  init(numbers: [Double]) {
    precondition(numbers.count == Metrics.all.count, "a number for each metric")
    self.numbers = numbers
  }

  /// The value of a numeric metric, nil if it was not measured. Only finite numbers are kept.
  package subscript(metric: Metric) -> Double? {
    get { self[position: Metrics.position(of: metric)] }
    set { self[position: Metrics.position(of: metric)] = newValue }
  }

  /// The same for a name that a file or an option gave, and that was checked.
  package subscript(name: String) -> Double? {
    get { self[Metric(named: name)] }
    set { self[Metric(named: name)] = newValue }
  }

  package subscript(position position: Int) -> Double? {
    get {
      let value = numbers[position]
      return value.isNaN ? nil : value
    }
    set {
      guard let newValue, newValue.isFinite else { return numbers[position] = .nan }
      numbers[position] = newValue
    }
  }

  /// The text of a metric of kind `label`, nil if there is none.
  package subscript(label metric: Metric) -> String? {
    get { labels[metric.name] }
    set {
      precondition(metric.kind == .label, "`\(metric.name)` is not a label")
      labels[metric.name] = newValue
    }
  }

  /// Whether a file may contain the number. No metric is ever below zero. Nothing measured is
  /// beyond the range, and arithmetic there could overflow.
  static func isPlausible(_ value: Double) -> Bool {
    value == 0 || (1e-100...1e100).contains(value)
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.labels == right.labels
      && left.numbers.indices.allSatisfy { left[position: $0] == right[position: $0] }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(labels)
  }
}

/// In JSON: an object with a member for each measured metric, named after its column. Unknown
/// members are ignored, so that files of later versions can be read. Numbers are rounded as in a
/// CSV file, so that every answer about a cell shows the same ones.
extension MetricValues: Codable {
  package init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Metric.Key.self)
    for key in container.allKeys {
      guard let metric = Metrics.named(key.stringValue) else { continue }
      if metric.kind == .label {
        self[label: metric] = try container.decode(String.self, forKey: key)
      } else {
        let value = try container.decode(Double.self, forKey: key)
        guard Self.isPlausible(value) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "\(value) is no figure of a machine")
        }
        self[metric] = CellCSV.rounded(value)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Metric.Key.self)
    for metric in Metrics.all {
      let key = Metric.Key(stringValue: metric.name)
      if metric.kind == .label {
        try container.encodeIfPresent(self[label: metric], forKey: key)
      } else {
        try container.encodeIfPresent(self[metric], forKey: key)
      }
    }
  }
}
