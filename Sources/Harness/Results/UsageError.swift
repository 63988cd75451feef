/// The command line, a scenario or a file named in either is wrong; nothing has been measured.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
