// Turns run on main's own thread, or in a test on the test's thread and clock.

extension SimulatedMainQueue {
  /// Starts the run loop on its own thread. Stops the program if the system cannot start one.
  ///
  /// - Precondition: the queue was not started before.
  public func start() {
    inbox.start()
    StartedThread.run(stackSize: 8 << 20) { self.runLoop() }
  }

  /// Runs the queued blocks, ends the run loop and waits for its end. Returns at once if the loop
  /// never started or has ended. Later blocks do not run.
  ///
  /// - Precondition: the caller is not on the main queue.
  public func stop() {
    guard !isCurrent else {
      fatalError("stop() waits for the main queue to end: call it from another thread")
    }
    inbox.stop()
  }

  private func runLoop() {
    ThreadTimes.nameThread(label)
    ThreadTimes.askForExactTimers()
    recorder.watchThread()
    Activity.install(recorder)
    HeldQueues.current.whileHolding(self) {
      while true {
        wake()
        while turn() {}
        // Checked after the turns: one wake-up may announce a block and the stop after it.
        if inbox.finishIfStopped() { break }
        inbox.wait(until: prepareToWait())
      }
    }
    Activity.install(nil)
    inbox.didStop()
  }

  /// Runs the loop on the calling thread and advances `clock` where main would wait, until nothing
  /// is queued and the clock has reached `end`. For tests.
  ///
  /// The recording has no CPU time and no run-queue delay: the kernel's times are not the clock's.
  package func run(turning clock: ManualClock, until end: Instant) {
    let outer = Activity.recorder
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
