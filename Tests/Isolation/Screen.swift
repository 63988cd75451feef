// Closures that contexts and lists call on their queue, in a module that belongs to the main actor
// unless it says otherwise (`-default-isolation MainActor`). Without the library's `@Sendable` they
// would belong to it as well, compile, and stop the program on a private queue.
//
// scripts/check-isolation compiles this file. The compiler must refuse the lines that say so, and
// no others.

import DataModel
import ObjectGraph
import Queues

final class Screen {
  var changes = 0

  func observe(_ context: ManagedObjectContext) {
    context.observeWillSave { self.changes += 1 }  // refused
    context.observeDidSave { _ in self.changes += 1 }  // refused
    context.observeObjectsDidChange { _ in self.changes += 1 }  // refused
    context.observeDidMerge { _ in self.changes += 1 }  // refused
    context.observeDidSave { _ in MainActor.assumeIsolated { self.changes += 1 } }
  }

  func show(_ list: FetchedResultsController) {
    list.onChange = { _ in self.changes += 1 }  // refused
    list.onIDChange = { _ in self.changes += 1 }  // refused
    list.onChange = { _ in MainActor.assumeIsolated { self.changes += 1 } }
  }

  func sections() -> [SectionKey] {
    [
      .column(0) { _ in self.name() },  // refused
      .computed { _ in .string(self.name()) },  // refused
      .computed { _ in .string(MainActor.assumeIsolated { self.name() }) },
    ]
  }

  func name() -> String { "\(changes)" }

  func work(in context: ManagedObjectContext, reading request: FetchRequest) {
    context.perform { self.changes += 1 }  // refused
    context.fetchAsynchronously(request) { _ in self.changes += 1 }  // refused
    context.conflictHandler = { _, _, resolve in
      self.changes += 1  // refused
      try resolve()
    }
  }

  func hooks() -> EntityHooks {
    var hooks = EntityHooks()
    hooks.willSave = { _ in self.changes += 1 }  // refused
    hooks.validate = { _ in self.changes += 1 }  // refused
    return hooks
  }
}

/// A list calls its delegate on its context's queue, too.
@MainActor final class Delegate: FetchedResultsDelegate {  // refused
  var changes = 0

  func listDidChange(_ list: FetchedResultsController) { changes += 1 }
}

/// Belongs to no actor, because the protocol says so.
final class FreeDelegate: FetchedResultsDelegate {
  var changes = 0

  func listDidChange(_ list: FetchedResultsController) { changes += 1 }
}
