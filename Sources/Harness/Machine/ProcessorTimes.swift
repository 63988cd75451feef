/// The kernel's count of all processors' time since boot, in ticks.
struct ProcessorTimes: Equatable {
  let all: Double
  let stolen: Double
  let busy: Double

  init?(stat: String) {
    guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard numbers.count > 7 else { return nil }
    // The guests' time follows, but the user's time contains it.
    all = numbers.prefix(8).reduce(0, +)
    stolen = numbers[7]
    busy = all - numbers[3] - numbers[4] - stolen
  }

  static var now: ProcessorTimes? {
    Machine.text("/proc/stat").flatMap { ProcessorTimes(stat: $0) }
  }

  /// In percent.
  static func stolen(from start: ProcessorTimes?, to end: ProcessorTimes?) -> Double? {
    guard let start, let end, end.all > start.all else { return nil }
    return (end.stolen - start.stolen) / (end.all - start.all) * 100
  }
}
