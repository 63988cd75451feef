/// Stops the program on a caller's mistake. Unlike `precondition`, prints the text in release
/// builds too.
@inlinable @inline(__always)
package func require(
  _ condition: Bool, _ text: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { stopProgram(text(), file, line) }
}

@inline(never) @usableFromInline
package func stopProgram(_ text: String, _ file: StaticString, _ line: UInt) -> Never {
  fatalError(text, file: file, line: line)
}
