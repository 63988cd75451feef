import Foundation

/// Holds one object for each thread, and releases it when the thread ends.
struct ThreadLocal<Object: AnyObject>: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      #if canImport(Darwin)
        Unmanaged<AnyObject>.fromOpaque(pointer).release()
      #else
        if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
      #endif
    }
    guard status == 0 else { fatalError("no thread-local key left") }
    self.key = key
  }

  @inline(__always)
  var value: Object? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    return Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }

  func set(_ object: Object?) {
    if let old = pthread_getspecific(key) { Unmanaged<Object>.fromOpaque(old).release() }
    pthread_setspecific(key, object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) })
  }
}
