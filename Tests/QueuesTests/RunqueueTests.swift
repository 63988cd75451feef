#if canImport(Glibc)
  import Glibc
  import Queues
  import TestSupport
  import Testing

  private let isAccounted = access("/proc/thread-self/schedstat", R_OK) == 0

  @Suite("Run-queue delay", .enabled(if: isAccounted))
  struct RunqueueTests {
    // Looked up by name, because glibc's module leaves both functions out.
    private typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> Int32
    private typealias GetProcessor = @convention(c) () -> Int32

    private static func symbol<T>(_ name: String, as type: T.Type) throws -> T {
      unsafeBitCast(try #require(dlsym(nil, name)), to: type)
    }

    private static func processor() throws -> Int32 {
      try symbol("sched_getcpu", as: GetProcessor.self)()
    }

    private static func stay(on processor: Int32) throws {
      var set = cpu_set_t()
      withUnsafeMutableBytes(of: &set) { $0[Int(processor) / 8] |= 1 << UInt8(processor % 8) }
      let setAffinity = try symbol("sched_setaffinity", as: SetAffinity.self)
      try #require(setAffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0)
    }

    private static func cpuTime() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Main runs for 30 ms in a window, and a rival on its processor as well.
    private func contended(_ work: (() -> Void) -> Void) throws -> MainQueueRecording {
      let main = SimulatedMainQueue()
      main.start()
      defer { main.stop() }
      let (isSpinning, mayStop) = (Gate(), Lock(false))
      let processor = try main.sync { try Self.processor() }
      let rival = TestThread {
        let isThere = (try? Self.stay(on: processor)) != nil
        isSpinning.open()
        guard isThere else { return }
        while !mayStop.withLock({ $0 }) {}
      }
      isSpinning.wait()
      let recording = try main.sync {
        try Self.stay(on: processor)
        main.openWindow()
        work {
          let end = Self.cpuTime() + 30_000_000
          while Self.cpuTime() < end {}
        }
        return main.closeWindow()
      }
      mayStop.withLock { $0 = true }
      rival.join()
      return recording
    }

    @Test func `main's delay is that of main's thread, not of the creating thread`() throws {
      let recording = try contended { $0() }
      #expect(recording.cpu.map { $0 >= 30_000_000 } == true)
      #expect(recording.runqueue.map { $0 > 1_000_000 } == true)
      #expect(recording.gaps.count == 1)
      #expect(recording.gaps.first?.runqueue.map { $0 > 1_000_000 } == true)
      #expect(recording.workRunqueue == 0, "main had neither database nor drawing work")
    }

    @Test func `turns on a manual clock record no time of the kernel`() {
      let recording = ManualMain().record(untilMilliseconds: 10) { queue, clock in
        queue.async { Activity.slice(.merge) { clock.advance(by: .milliseconds(1)) } }
      }
      #expect(recording.cpu == nil && recording.runqueue == nil)
      #expect(recording.gaps.map(\.runqueue) == [nil])
      #expect(recording.busyPeriods.map(\.runqueue) == [nil])
    }

    @Test(arguments: [SliceTag.merge, .ui])
    func `the delay in gaps with database or drawing work counts`(tag: SliceTag) throws {
      let recording = try contended { run in Activity.slice(tag) { run() } }
      #expect(recording.workRunqueue > 1_000_000)
      #expect(recording.workRunqueue == recording.gaps.compactMap(\.runqueue).reduce(0, +))
    }
  }
#endif
