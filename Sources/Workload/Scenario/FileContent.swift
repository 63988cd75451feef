import Foundation
import Support

enum FileContent {
  static func bytes(of file: String) throws(InputError) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    } catch {
      throw InputError(.file(file, line: nil), "\(problem(file, error)); check the path")
    }
  }

  static func text(of file: String) throws(InputError) -> String {
    try String(utf8: bytes(of: file), file: file)
  }

  /// Nil if the file can be read.
  static func problemReading(_ file: String) -> String? {
    let isReadable = FileManager.default.isReadableFile(atPath: file) && !isFolder(file)
    return isReadable ? nil : problem(file, CocoaError(.fileReadNoPermission))
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  private static func problem(_ file: String, _ error: any Error) -> String {
    guard FileManager.default.fileExists(atPath: file) else { return "no such file" }
    if isFolder(file) { return "a folder, not a file" }
    if !isRegular(file) { return "not a regular file" }
    let cause = (error as? CocoaError)?.underlying as? POSIXError
    let reason = cause.map { String(cString: strerror($0.code.rawValue)).lowercased() }
    return "cannot be read" + (reason.map { ": \($0)" } ?? "")
  }

  /// False for pipes and devices, whose content cannot be read twice.
  private static func isRegular(_ file: String) -> Bool {
    var status = stat()
    return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func path(_ path: String, relativeTo file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }

  /// Follows symbolic links.
  static func isBeside(_ path: String, _ file: String) -> Bool {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().resolvingSymlinksInPath()
    let path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath()
    return path.path.hasPrefix(folder.path == "/" ? "/" : folder.path + "/")
  }

  static let scenarioSuffixes = [".yaml", ".yml"]

  /// `5000-cities` for `Scenarios/5000-cities.yaml`.
  static func scenarioName(_ file: String) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    let suffix = scenarioSuffixes.first { last.hasSuffix($0) }
    return suffix.map { String(last.dropLast($0.count)) } ?? last
  }
}
