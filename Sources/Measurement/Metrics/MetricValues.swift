/// The numbers of a cell are one array, so that files of a million rows are read in seconds.
package struct MetricValues: Sendable, Hashable {
  // NaN means not measured. It never leaves this type.
  private var numbers: [Double]
  /// By the metric's name.
  var labels: [String: String] = [:]

  package init() {
    numbers = Array(repeating: .nan, count: Metrics.all.count)
  }

  /// Nil if not measured. Only finite numbers are kept.
  package subscript(metric: Metric) -> Double? {
    get { self[position: Metrics.position(of: metric)] }
    set { self[position: Metrics.position(of: metric)] = newValue }
  }

  /// An unknown name stops the program.
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

  package subscript(label metric: Metric) -> String? {
    get { labels[metric.name] }
    set {
      precondition(metric.kind == .label, "`\(metric.name)` is not a label")
      labels[metric.name] = newValue
    }
  }

  /// Whether a file may contain the number. Nothing measured is negative or beyond the range, where
  /// arithmetic could overflow.
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

/// In JSON: an object of the measured metrics. Unknown members are ignored, so that files of later
/// versions can be read. Numbers are rounded as in CSV, so that every answer shows the same.
extension MetricValues: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Key.self)
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
        self[metric] = Self.rounded(value)
      }
    }
  }

  /// The number as a row shows it.
  static func rounded(_ value: Double) -> Double {
    Int(exactly: (value * 1000).rounded()).map { Double($0) / 1000 } ?? value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for metric in Metrics.all {
      let key = Key(stringValue: metric.name)
      if metric.kind == .label {
        try container.encodeIfPresent(self[label: metric], forKey: key)
      } else {
        try container.encodeIfPresent(self[metric], forKey: key)
      }
    }
  }
}
