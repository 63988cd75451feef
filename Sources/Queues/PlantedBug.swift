#if TOPOBENCH_PLANTED_BUGS
  import Foundation

  /// A defect that `Tests/Interleavings` must find. The comment of each names the type that has it.
  package enum PlantedBug: String, CaseIterable, Sendable {
    /// `PrivateQueue`: two callers of `sync` take one turn.
    case splitTurn = "split-turn"
    /// `Parker`: a signal is lost between the check and the wait.
    case lostWakeUp = "lost-wake-up"
    /// `Inbox`: a block that is posted while others are taken is dropped.
    case lostBlock = "lost-block"
    /// `ChargedSemaphore`: two signals wake the same thread.
    case wakeTwice = "wake-twice"
    /// `PrivateQueue`: its thread does not end if the queue goes while a block runs.
    case endlessThread = "endless-thread"
    /// `ManagedObjectContext`: automatic merges begin before the save is written.
    case earlyMerge = "early-merge"
    /// `SaveListeners`: a context that ends its listening also removes one that begins.
    case unregisteringRace = "unregistering-race"
    /// `RowCache`: a fetch brings back a row that a save has replaced.
    case staleRow = "stale-row"
    /// `ConnectionPool`: the next generation gets a connection that is still pinned.
    case earlyUnpin = "early-unpin"
    /// `refetch-coalesced`: a save during a refresh starts no other one.
    case droppedRefresh = "dropped-refresh"

    private static let active = ProcessInfo.processInfo.environment["TOPOBENCH_PLANTED_BUG"]

    package var isActive: Bool { rawValue == Self.active }
  }
#endif
