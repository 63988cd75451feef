package import ArgumentParser
import Harness
package import Judging
package import Measurement
import Support

extension ExitStatus {
  /// Indented lines for `--help`.
  static var help: String {
    let lines = allCases.map { status in
      let number = "\(status.rawValue)"
      return "  \(number)\(String(repeating: " ", count: 5 - number.count))\(status.meaning)"
    }
    return (lines + [rule]).joined(separator: "\n")
  }

  package static func of(_ cells: [CellResult], isInterrupted: Bool) -> ExitStatus {
    var all: [ExitStatus] = isInterrupted ? [.interrupted] : []
    if cells.contains(where: { [.wrong, .crashed, .timeout].contains($0.status) }) {
      all.append(.badCell)
    }
    let suspect = cells.count { $0.status == .suspect }
    if suspect * 10 > cells.count { all.append(.inconclusive) }
    return worst(all)
  }

  /// A discarded answer is inconclusive.
  static func of(_ summary: Summary, isInterrupted: Bool) -> ExitStatus {
    let status = of(summary.cells, isInterrupted: isInterrupted)
    return summary.sections.contains(where: \.isDiscarded)
      ? worst([status, .inconclusive]) : status
  }

  static func of(_ error: any Error) -> ExitStatus {
    switch error {
    case is UsageError, is InputError: .usage
    case is DuetMismatch: .baseline
    default: .failed
    }
  }

  /// Ignores the changes: a comparison gives no verdict.
  static func of(_ comparison: Comparison) -> ExitStatus {
    if !comparison.otherDigests.isEmpty { return .baseline }
    guard comparison.figures.isEmpty else { return .done }
    return comparison.failed.isEmpty ? .nothingCompared : .badCell
  }
}

extension DuetReport {
  func status(of cells: [CellResult], isInterrupted: Bool) -> ExitStatus {
    let verdict: ExitStatus =
      switch verdict {
      case .pass: .done
      case .fail: .regression
      case .inconclusive: .inconclusive
      case nil: isComplete ? .nothingCompared : .interrupted
      }
    return ExitStatus.worst([verdict, .of(cells, isInterrupted: isInterrupted)])
  }
}

extension ExitCode {
  package init(_ status: ExitStatus) { self.init(status.rawValue) }
}
