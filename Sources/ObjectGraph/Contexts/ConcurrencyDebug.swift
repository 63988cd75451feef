#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The checked mode, like Core Data's `-com.apple.CoreData.ConcurrencyDebug 1`. The first call to a
/// context or its objects off the context's queue stops the program.
///
/// It is on in debug builds and with `TOPOBENCH_CONCURRENCY_DEBUG=1` in the environment. A
/// context's initialiser can override it. Relating objects of two contexts always stops the
/// program.
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
