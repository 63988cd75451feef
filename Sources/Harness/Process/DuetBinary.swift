import Foundation
package import Judging
import Measurement

/// One of a duet's two programs, with its own answer to `cell --check`.
package struct DuetBinary: Sendable, Equatable {
  package let side: Side
  package let path: String
  package let check: CellCheck

  package init(side: Side, path: String, check: CellCheck) {
    self.side = side
    self.path = path
    self.check = check
  }
}

/// Two programs that cannot be compared. Nothing has been measured.
package struct DuetMismatch: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The reply of a program to `cell --check`.
enum DuetReply: Sendable, Equatable {
  case answered(CellCheck)
  /// The protocol version that the program speaks, which is not this build's.
  case otherProtocol(String)
  /// Why there is no answer, as a clause for a message.
  case silent(String)

  init(_ outcome: ChildOutcome) {
    switch outcome {
    case .finished(let output): self.init(output)
    case .crashed(let how): self = .silent("it \(how)")
    case .timedOut: self = .silent("it did not answer in time")
    case .interrupted: self = .silent("it was interrupted")
    }
  }

  private struct Version: Decodable {
    let `protocol`: String
  }

  /// Decodes the version first, since only an answer of this build's version can be decoded.
  private init(_ output: Data) {
    guard let version = try? JSONDecoder().decode(Version.self, from: output) else {
      self = .silent("its answer is not the JSON of a cell's check")
      return
    }
    guard version.protocol == CellSpecification.protocolVersion else {
      self = .otherProtocol(version.protocol)
      return
    }
    do {
      self = .answered(try JSONDecoder().decode(CellCheck.self, from: output))
    } catch {
      self = .silent("its answer lacks something: \(error)".oneLine)
    }
  }

  /// - Throws: `DuetMismatch` if the program does not speak this build's version.
  func check(of side: Side, at path: String) throws(DuetMismatch) -> CellCheck {
    switch self {
    case .answered(let check): return check
    case .otherProtocol(let found):
      throw DuetMismatch(
        "the \(side.rawValue) binary '\(path)' speaks '\(found)', this topobench"
          + " '\(CellSpecification.protocolVersion)'; build both binaries and this command from"
          + " commits of one protocol")
    case .silent(let why):
      throw DuetMismatch(
        "the \(side.rawValue) binary '\(path)' does not answer `cell --check`: \(why). Name a"
          + " topobench, or an executable that calls Topobench.main, that speaks"
          + " '\(CellSpecification.protocolVersion)'")
    }
  }
}

/// Compares how two programs read one scenario.
enum DuetAgreement {
  /// The scenario's digest, which must be the same for both programs.
  ///
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
