#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The checked mode, like Core Data's `-com.apple.CoreData.ConcurrencyDebug 1`: using a context or
/// its objects off its queue stops the program.
///
/// It is on in debug builds, with `TOPOBENCH_CONCURRENCY_DEBUG=1` in the environment, or by a
/// context's initialiser.
public enum ConcurrencyDebug {
  public static let isOn: Bool = {
    if let setting = getenv("TOPOBENCH_CONCURRENCY_DEBUG") {
      return String(cString: setting) == "1"
    }
    var isDebugBuild = false
    assert(
      {
        isDebugBuild = true; return true
      }())
    return isDebugBuild
  }()
}
