/// A list that grows without copying: an append allocates at most one chunk, and chunks never move.
/// An array of 150,000 gaps would copy itself for several milliseconds and delay main's beats.
struct ChunkedLog<Element> {
  /// Small enough that the allocator need not map fresh memory for a chunk of gaps.
  private static var chunkLength: Int { 1024 }

  private var full: [ContiguousArray<Element>] = []
  private var last = ContiguousArray<Element>()

  mutating func append(_ element: Element) {
    if last.count == last.capacity { takeChunk() }
    last.append(element)
  }

  @inline(never)
  private mutating func takeChunk() {
    if !last.isEmpty { full.append(last) }
    last = []
    last.reserveCapacity(Self.chunkLength)
  }

  /// A copy, whose cost grows with the count. Call it outside measured time.
  var all: [Element] { full.flatMap { $0 } + last }
}
