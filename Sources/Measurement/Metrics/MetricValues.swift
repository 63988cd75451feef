/// The metrics of one cell: a number or a text for each column, or nothing where it was not
/// measured.
///
/// Kept as a row of numbers, so that files of a million rows stay readable in seconds. To ask for a
/// metric that does not exist is the caller's mistake and stops the program.
package struct MetricValues: Sendable, Equatable {
  // NaN stands for "not measured"; it never leaves this type.
  private var numbers: [Double]
  private var labels: [String: String] = [:]

  package init() {
    numbers = Array(repeating: .nan, count: Metrics.all.count)
  }

  /// - Parameter numbers: one for each metric; NaN where it was not measured.
  init(numbers: [Double]) {
    precondition(numbers.count == Metrics.all.count, "a number for each metric")
    self.numbers = numbers
  }

  /// The value of a numeric metric, nil if it was not measured. Only finite numbers are kept.
  package subscript(name: String) -> Double? {
    get { self[position: Self.position(of: name)] }
    set { self[position: Self.position(of: name)] = newValue }
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
  package subscript(label name: String) -> String? {
    get { labels[name] }
    set {
      precondition(Metrics.named(name)?.kind == .label, "`\(name)` is not a label")
      labels[name] = newValue
    }
  }

  /// Whether a number may stand in a file. Beyond lies nothing that is measured, and arithmetic with
  /// it would not end in numbers.
  static func isPlausible(_ value: Double) -> Bool {
    value == 0 || (1e-100...1e100).contains(abs(value))
  }

  private static func position(of name: String) -> Int {
    guard let position = Metrics.position(of: name) else {
      preconditionFailure("there is no metric `\(name)`")
    }
    return position
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.labels == right.labels
      && left.numbers.indices.allSatisfy { left[position: $0] == right[position: $0] }
  }
}

/// An object with a member for each metric that was measured, named after its column. Members of
/// other names are passed over, so that files of later versions can be read.
extension MetricValues: Codable {
  private struct Column: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Column.self)
    for key in container.allKeys {
      guard let metric = Metrics.named(key.stringValue) else { continue }
      if metric.kind == .label {
        self[label: metric.name] = try container.decode(String.self, forKey: key)
      } else {
        let value = try container.decode(Double.self, forKey: key)
        guard Self.isPlausible(value) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "\(value) is no figure of a machine")
        }
        self[metric.name] = value
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Column.self)
    for metric in Metrics.all {
      let key = Column(stringValue: metric.name)
      if metric.kind == .label {
        try container.encodeIfPresent(labels[metric.name], forKey: key)
      } else {
        try container.encodeIfPresent(self[metric.name], forKey: key)
      }
    }
  }
}
