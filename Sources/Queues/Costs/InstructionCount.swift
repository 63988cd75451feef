import CLinux
import Synchronization

// A counted cell runs under callgrind, which counts a thread's instructions between two requests:
//
//   main     perform ├──── save ├──┤ ────┤    merge ├───┤      counts its outermost database slices
//   worker   block ├──────────────────┤                        counts its blocks
//            window open                             close

/// The database slices on main whose instructions a counted cell counts.
package enum CountedSlices: Sendable, Equatable {
  /// For a repeat that only warms up: a runtime does some work once, such as looking up
  /// conformances.
  case nothing
  case all
  /// Slices with this tag, without nested ones.
  case only(SliceTag)

  func contain(_ tag: SliceTag) -> Bool {
    switch self {
    case .nothing: false
    case .all: tag.isDatabase
    case .only(let part): tag == part
    }
  }
}

/// Workers count the instructions of their blocks in the window of a counted cell.
enum CountedWindow {
  private static let isOpen = Atomic(false)

  static func open() {
    clinux_start_instrumentation()
    isOpen.store(true, ordering: .relaxed)
  }

  static func close() {
    isOpen.store(false, ordering: .relaxed)
    clinux_stop_instrumentation()
  }

  @inline(__always)
  static func count(_ block: () -> Void) {
    guard isOpen.load(ordering: .relaxed) else { return block() }
    clinux_toggle_worker_count()
    block()
    clinux_toggle_worker_count()
  }
}

/// Starts and stops main's count at the edges of the counted slices.
struct SliceCounter {
  let slices: CountedSlices
  private var open: [SliceTag] = []
  private var isInWindow = false
  private var isCounting = false

  init(_ slices: CountedSlices) { self.slices = slices }

  mutating func openWindow() {
    guard slices != .nothing else { return }
    isInWindow = true
    CountedWindow.open()
  }

  mutating func closeWindow() {
    guard isInWindow else { return }
    isInWindow = false
    CountedWindow.close()
  }

  mutating func begin(_ tag: SliceTag) {
    open.append(tag)
    update()
  }

  mutating func end() {
    open.removeLast()
    update()
  }

  private mutating func update() {
    let counts =
      isInWindow
      && (slices == .all
        ? open.contains(where: slices.contain) : open.last.map(slices.contain) ?? false)
    guard counts != isCounting else { return }
    isCounting = counts
    clinux_toggle_main_count()
  }
}
