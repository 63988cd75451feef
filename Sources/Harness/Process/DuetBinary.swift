import Foundation
package import Judging
import Measurement

package struct DuetBinary: Sendable, Equatable {
  package let side: Side
  package let path: String
  package let check: CellCheck
}

/// Two programs that cannot be compared. Nothing has been measured.
package struct DuetMismatch: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension DuetBinary {
  private struct Version: Decodable {
    let `protocol`: String
  }

  /// - Throws: `DuetMismatch` if the program did not answer, or speaks another version.
  init(_ side: Side, at path: String, answering outcome: ChildOutcome) throws(DuetMismatch) {
    let silence: String
    switch outcome {
    case .finished(let output):
      self.init(side: side, path: path, check: try Self.check(output, of: side, at: path))
      return
    case .crashed(let how): silence = "it \(how)"
    case .timedOut: silence = "it did not answer in time"
    case .interrupted: silence = "it was interrupted"
    }
    throw Self.silent(silence, side, path)
  }

  /// Decodes the version first, since only an answer of this build's version can be decoded.
  private static func check(
    _ output: Data, of side: Side, at path: String
  ) throws(DuetMismatch) -> CellCheck {
    guard let version = try? JSONDecoder().decode(Version.self, from: output) else {
      throw silent("its answer is not the JSON of a cell's check", side, path)
    }
    guard version.protocol == CellSpecification.protocolVersion else {
      throw DuetMismatch(
        "the \(side.rawValue) binary '\(path)' speaks '\(version.protocol)', this topobench"
          + " '\(CellSpecification.protocolVersion)'; build both binaries and this command from"
          + " commits of one protocol")
    }
    do {
      return try JSONDecoder().decode(CellCheck.self, from: output)
    } catch {
      throw silent("its answer lacks something: \(error)".oneLine, side, path)
    }
  }

  private static func silent(_ why: String, _ side: Side, _ path: String) -> DuetMismatch {
    DuetMismatch(
      "the \(side.rawValue) binary '\(path)' does not answer `cell --check`: \(why). Name a"
        + " topobench, or an executable that calls Topobench.main, that speaks"
        + " '\(CellSpecification.protocolVersion)'")
  }
}

enum DuetAgreement {
  /// - Throws: `DuetMismatch` if a program cannot use the scenario, or the digests differ.
  static func digest(of scenario: String, _ binaries: [DuetBinary]) throws(DuetMismatch) -> String {
    for binary in binaries where binary.check.scenarioDigest == nil {
      throw DuetMismatch(
        "the \(binary.side.rawValue) binary '\(binary.path)' cannot use the scenario"
          + " '\(scenario)': \(binary.check.problem ?? "it does not say why")")
    }
    let digests = binaries.compactMap(\.check.scenarioDigest)
    guard Set(digests).count == 1, let digest = digests.first else {
      let found = zip(binaries, digests).map { "\($0.side.rawValue) \($1.prefix(12))" }
      throw DuetMismatch(
        "the scenario '\(scenario)' has another digest in each binary ("
          + "\(found.joined(separator: ", "))); compare builds between which scenarios and their"
          + " fields did not change")
    }
    return digest
  }
}
