package enum FileName {
  /// Why the name could lead to another folder; nil if it cannot.
  ///
  /// Bytes decide: a slash before a combining accent is no `Character` of its own.
  package static func problem(_ name: String) -> String? {
    guard name.utf8.contains(where: [UInt8(ascii: "/"), 0].contains) else { return nil }
    return "\(name.quoted) cannot be part of a file's name, because it contains '/' or NUL"
  }
}
