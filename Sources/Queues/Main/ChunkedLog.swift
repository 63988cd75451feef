/// Elements in the order in which they were appended, in chunks that are never moved.
///
/// An array that grows moves to a place twice its size, and the machine makes that the process's own
/// page by page: some milliseconds for the 150,000 gaps of a cell that lasts for minutes. Main would
/// have to answer for them, and beats that came due in the gap just noted would be answered late. Here
/// no append takes longer than an allocation of one chunk.
struct ChunkedLog<Element> {
  /// Small enough that a chunk of gaps stays below what the allocator takes from the system anew.
  private static var chunkLength: Int { 1024 }

  /// All of them full.
  private var full: [ContiguousArray<Element>] = []
  private var last = ContiguousArray<Element>()

  /// Appends in constant time, but for the pointers to the chunks.
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

  /// All of them, copied: for when time no longer counts.
  var all: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(full.reduce(last.count) { $0 + $1.count })
    for chunk in full { elements += chunk }
    return elements + last
  }
}
