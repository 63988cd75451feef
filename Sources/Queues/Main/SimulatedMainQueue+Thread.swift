import Foundation

// Who runs the turns: a thread of main's own, or a test on its own thread and clock.

extension SimulatedMainQueue {
  /// Starts the run loop on a thread of its own, named `main`.
  ///
  /// - Precondition: it was not started before.
  public func start() {
    inbox.start()
    let thread = Thread { self.runLoop() }
    thread.name = label
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Ends the run loop when what is queued has run, and waits for it. Nothing if it never started or
  /// has ended. What is submitted later does not run.
  ///
  /// - Precondition: not on the main queue, which would wait for itself.
  public func stop() {
    precondition(!isCurrent, "main cannot wait for its own end")
    inbox.stop()
  }

  private func runLoop() {
    ThreadTimes.askForExactTimers()
    recorder.watchThread()
    Activity.install(recorder)
    HeldQueues.current.whileHolding(self) {
      while inbox.goesOn() {
        wake()
        while turn() {}
        inbox.wait(until: prepareToWait())
      }
    }
    Activity.install(nil)
    inbox.didStop()
  }

  /// Runs the loop on the calling thread, and lets `clock` jump where main would wait, until nothing
  /// is queued and the clock has reached `end`. For tests, instead of `start`.
  package func run(turning clock: ManualClock, until end: Instant) {
    let outer = Activity.recorder
    recorder.watchThread()
    Activity.install(recorder)
    defer { Activity.install(outer) }
    HeldQueues.current.whileHolding(self) {
      repeat {
        wake()
        while turn() {}
        let deadline = prepareToWait() ?? end
        if !inbox.hasBlocks { clock.advance(to: min(deadline, end)) }
      } while inbox.hasBlocks || clock.now() < end
    }
  }
}
