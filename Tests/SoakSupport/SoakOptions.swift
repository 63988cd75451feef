package import ArgumentParser
import CSoakSupport
import Foundation

/// The options of each part of the soak. `scripts/soak` gives all three.
package struct SoakOptions: ParsableArguments {
  @Option(help: "The first try's seed; each following one has the next. Random if not given.")
  package var seed: UInt64?
  @Option(
    help: "Stop after this many seconds instead of a number of tries. The last try ends first.")
  package var seconds: Double?
  @Option(
    help: .init("Append the tally to this file, as a line of JSON.", valueName: "file"))
  package var tally: String?

  package init() {}

  package func validate() throws {
    guard seconds ?? 1 > 0 else { throw ValidationError("--seconds: must be more than 0") }
  }

  /// The options that `scripts/soak` gives to a test.
  package static func ofTests() throws -> SoakOptions {
    let text = ProcessInfo.processInfo.environment["TOPOBENCH_SOAK_OPTIONS"] ?? ""
    return try parse(text.split(separator: " ").map(String.init))
  }

  /// - Parameters:
  ///   - count: the number of seeds unless `--seconds` is given.
  ///   - tries: the number of tries to reach instead.
  package func begin(_ name: String, count: Int, tries: Int? = nil) -> SoakCourse {
    let first = seed ?? .random(in: 0..<1 << 32)
    let size = seconds.map { "\($0) s" } ?? "\(tries ?? count)"
    print("\(name): \(size) from seed \(first)")
    // A try may stop the program.
    fflush(nil)
    csoak_install(name, tally ?? "")
    return SoakCourse(
      tally: SoakTally(name: name, seeds: [first, first]),
      count: seconds == nil && tries == nil ? count : .max, tries: tries ?? .max,
      seconds: seconds ?? .infinity)
  }

  /// - Throws: `ExitCode` if a try failed.
  package func end(_ course: SoakCourse) throws {
    let tally = course.ended
    if let file = self.tally { try tally.append(to: file) }
    if tally.failures > 0 { throw ExitCode(1) }
  }
}

/// The tries of one part of the soak. `seeds` has the first and the last one.
package struct SoakTally: Codable, Equatable {
  package let name: String
  package var tries = 0
  package var failures = 0
  package var seeds: [UInt64]
  package var seconds = 0.0

  fileprivate func append(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
  }
}

/// Seeds, one after the other, until their number or the time is over.
package struct SoakCourse {
  private var tally: SoakTally
  private let count: Int
  private let tries: Int
  private let seconds: Double
  private var given = 0
  private let start = ContinuousClock.now

  fileprivate init(tally: SoakTally, count: Int, tries: Int, seconds: Double) {
    (self.tally, self.count, self.tries, self.seconds) = (tally, count, tries, seconds)
  }

  /// At least one. The calling thread tries it.
  package mutating func next() -> UInt64? {
    guard given < count, tally.tries < tries, given == 0 || passed < seconds else {
      csoak_end()
      return nil
    }
    given += 1
    tally.seeds[1] = tally.seeds[0] &+ UInt64(given - 1)
    csoak_begin(tally.seeds[1])
    return tally.seeds[1]
  }

  /// Names the calling thread's try within its seed, for the report of a crash.
  package static func name(_ text: String) { csoak_name(text) }

  package mutating func add(tries: Int = 1, failures: Int) {
    tally.tries += tries
    tally.failures += failures
  }

  private var passed: Double { (ContinuousClock.now - start) / .seconds(1) }

  package var seeds: Int { given }
  package var failures: Int { tally.failures }

  fileprivate var ended: SoakTally {
    var tally = tally
    tally.seconds = (passed * 10).rounded() / 10
    return tally
  }
}
