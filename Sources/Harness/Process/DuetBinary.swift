import Foundation
package import Judging
import Measurement

/// One of a duet's two programs, as it describes itself.
package struct DuetBinary: Sendable, Equatable {
  package let side: DuetSide
  package let path: String
  package let check: CellCheck

  package init(side: DuetSide, path: String, check: CellCheck) {
    self.side = side
    self.path = path
    self.check = check
  }
}

/// Two programs that cannot be held against each other. Nothing has been measured.
package struct DuetMismatch: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What came back from a program that was asked to describe itself.
enum DuetReply: Sendable, Equatable {
  case answered(CellCheck)
  /// The version of the protocol that it speaks.
  case otherProtocol(String)
  /// Why there is no answer, in a clause.
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

  /// The version first: of another version's answer nothing else is understood.
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

  /// - Throws: `DuetMismatch` where it does not speak this build's version.
  func check(of side: DuetSide, at path: String) throws(DuetMismatch) -> CellCheck {
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

/// What two programs make of one scenario.
enum DuetAgreement {
  /// The scenario's digest, where both programs find the same.
  ///
  /// - Throws: `DuetMismatch` where one cannot use it, or each reads another work out of it.
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
        "the scenario '\(scenario)' is not the same work to both binaries (digests:"
          + " \(found.joined(separator: ", "))); compare builds between which scenarios and their"
          + " fields did not change")
    }
    return digest
  }
}
