/// An error in a file that the user wrote, or in a command-line override of it. The command exits
/// with 64. The message says what is allowed, or what to do next.
package struct InputError: Error, Equatable, CustomStringConvertible {
  package enum Origin: Equatable, Sendable {
    /// The line counts from 1; nil if the error concerns the whole file.
    case file(String, line: Int?)
    /// A command-line argument as it was typed: `--set changes.per_save=0`.
    case flag(String)
    /// A name without a file.
    case none
  }

  package let origin: Origin
  /// The dotted path of a field, or a column of a data file.
  package let field: String?
  package let message: String

  package init(_ origin: Origin, field: String? = nil, _ message: String) {
    self.origin = origin
    self.field = field
    self.message = message
  }

  package var description: String {
    let what = field.map { "field \($0.quoted): \(message)" } ?? message
    return switch origin {
    case .file(let path, let line?): "\(path.short):\(line): \(what)"
    case .file(let path, nil): "\(path.short): \(what)"
    case .flag(let text): "\(text.short): \(message)"
    case .none: what
    }
  }
}
