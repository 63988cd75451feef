// A list with fast lookups by index: a B+ tree whose inner nodes count their elements.
//
//   root    A F, counts 5 3                 the element at index 6: behind the first child's 5,
//          ╱           ╲                    so at offset 1 of the second leaf
//   leaf  A B C D E   leaf  F G H           the index of G: its offset 1, and the 5 before its leaf
//
// Inserting, removing, and finding an element or its index cost O(log n): each step reads arrays of
// at most 64 counts or elements. An inner node repeats the first element of each child, so that a
// search reads no memory of the children that it passes. A leaf knows its parent, so an element's
// leaf leads to its index. The list keeps the leaf and the offset at which an element was placed:
// the element stays near that offset.
//
// swift-collections 1.6.0 has such trees only in `_RopeModule` and behind the trait
// `UnstableSortedCollections`. Neither is public API, and neither finds an index from a leaf.

final class CountedTree<Element> {
  final class Node {
    // Unchecked: a tree is used on one queue, and no other code runs while one of these changes.

    /// In an inner node, the first element of each child.
    @exclusivity(unchecked) var elements: ContiguousArray<Element> = []
    @exclusivity(unchecked) var children: ContiguousArray<Node> = []
    @exclusivity(unchecked) var counts: ContiguousArray<Int> = []
    @exclusivity(unchecked) unowned(unsafe) var parent: Node?
    let isLeaf: Bool

    init(isLeaf: Bool) { self.isLeaf = isLeaf }
  }

  /// Valid until the next change of the tree.
  struct Position {
    let leaf: Node
    let offset: Int
  }

  /// Called for an element that was inserted or moved to another leaf. Offsets within a leaf change
  /// without a call.
  typealias DidMove = (Element, Position) -> Void

  @exclusivity(unchecked) var count = 0
  @exclusivity(unchecked) var root = Node(isLeaf: true)
  /// The leaf that was read last, and the index of its first element. A scrolling list reads
  /// neighbours.
  @exclusivity(unchecked) var lastRead: (leaf: Node, start: Int)?
  let nodeSize: Int
  let didMove: DidMove

  /// - Parameter nodeSize: the most elements or children of a node, at least 4.
  init(_ elements: some Collection<Element>, nodeSize: Int = 64, didMove: @escaping DidMove) {
    self.nodeSize = nodeSize
    self.didMove = didMove
    build(elements)
  }

  subscript(index: Int) -> Element {
    if let (leaf, start) = lastRead, leaf.elements.indices.contains(index - start) {
      return leaf.elements[index - start]
    }
    let position = position(at: index)
    lastRead = (position.leaf, index - position.offset)
    return position.leaf.elements[position.offset]
  }

  func forEach(_ body: (Element) throws -> Void) rethrows {
    try root.forEach(body)
  }

  // MARK: Finding

  func position(at index: Int) -> Position {
    require(index >= 0 && index < count, "the index \(index) is outside 0..<\(count)")
    var (node, offset) = (root, index)
    while !node.isLeaf {
      var child = 0
      while offset >= node.counts[child] {
        offset -= node.counts[child]
        child += 1
      }
      node = node.children[child]
    }
    return Position(leaf: node, offset: offset)
  }

  func index(of position: Position) -> Int {
    var index = position.offset
    var node = position.leaf
    while let parent = node.parent {
      index += parent.count(before: parent.index(of: node))
      node = parent
    }
    return index
  }

  /// Finds the first match of a condition, which all elements behind it must satisfy too.
  func firstPosition(
    where condition: (borrowing Element) -> Bool
  ) -> (position: Position, index: Int) {
    var node = root
    var index = 0
    while !node.isLeaf {
      // Takes the child before the first one that starts with a match. Child 0 need not be tested.
      let child = node.elements.partitioningIndex(from: 1, where: condition) - 1
      index += node.count(before: child)
      node = node.children[child]
    }
    let offset = node.elements.partitioningIndex(from: 0, where: condition)
    return (Position(leaf: node, offset: offset), index + offset)
  }

  /// The nearest match before an index. Reads all elements in between.
  func last(before end: Int, where condition: (borrowing Element) -> Bool) -> Element? {
    var end = end
    while end > 0 {
      let place = position(at: end - 1)
      let (leaf, offset) = (place.leaf, place.offset)
      if let found = leaf.offset(among: (0...offset).reversed(), where: condition) {
        return leaf.elements[found]
      }
      end -= offset + 1
    }
    return nil
  }

  /// The nearest match at an index or behind it.
  func first(from start: Int, where condition: (borrowing Element) -> Bool) -> Element? {
    var start = start
    while start < count {
      let place = position(at: start)
      let (leaf, offset) = (place.leaf, place.offset)
      if let found = leaf.offset(among: offset..<leaf.elements.count, where: condition) {
        return leaf.elements[found]
      }
      start += leaf.elements.count - offset
    }
    return nil
  }
}

extension CountedTree.Node {
  var total: Int {
    isLeaf ? elements.count : counts.reduce(0, +)
  }

  func index(of child: CountedTree.Node) -> Int {
    children.firstIndex { $0 === child }!
  }

  fileprivate func count(before child: Int) -> Int {
    counts[..<child].reduce(0, +)
  }

  fileprivate func offset(
    among offsets: some Sequence<Int>, where condition: (borrowing Element) -> Bool
  ) -> Int? {
    elements.withUnsafeBufferPointer { elements in offsets.first { condition(elements[$0]) } }
  }

  fileprivate func forEach(_ body: (Element) throws -> Void) rethrows {
    if isLeaf { return try elements.forEach(body) }
    for child in children { try child.forEach(body) }
  }
}

extension ContiguousArray {
  /// Lends elements: a copy would retain their objects, in memory that is rarely cached.
  fileprivate func partitioningIndex(
    from start: Int, where condition: (borrowing Element) -> Bool
  ) -> Int {
    withUnsafeBufferPointer { elements in
      var (low, high) = (start, elements.count)
      while low < high {
        let middle = (low + high) / 2
        if condition(elements[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }
}
