/// An error in the command line, a scenario, or a file that they name. Nothing has been measured.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Any other error. The text describes it completely.
package struct HarnessError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
