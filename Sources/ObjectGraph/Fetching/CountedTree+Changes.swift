// A node over its capacity is split, and a small one joins a neighbour if both fit into one. So the
// height follows the logarithm of the count.

extension CountedTree {
  private var few: Int { max(2, nodeSize / 4) }
  private var built: Int { nodeSize * 3 / 4 }

  func insert(_ element: Element, at position: Position) {
    let leaf = position.leaf
    leaf.elements.insert(element, at: position.offset)
    didMove(element, position)
    changeCount(above: leaf, by: 1)
    if position.offset == 0 { repeatFirst(of: leaf) }
    if leaf.size > nodeSize { split(leaf) }
  }

  @discardableResult
  func remove(at position: Position) -> Element {
    let leaf = position.leaf
    let element = leaf.elements.remove(at: position.offset)
    changeCount(above: leaf, by: -1)
    if position.offset == 0 { repeatFirst(of: leaf) }
    if leaf.size < few { joinNeighbour(of: leaf) }
    return element
  }

  /// - Precondition: the new element sorts like the old one.
  func replace(at position: Position, by element: Element) {
    position.leaf.elements[position.offset] = element
    if position.offset == 0 { repeatFirst(of: position.leaf) }
  }

  private func changeCount(above leaf: Node, by change: Int) {
    count += change
    lastRead = nil
    var node = leaf
    while let parent = node.parent {
      parent.counts[parent.index(of: node)] += change
      node = parent
    }
  }

  /// Writes a node's first element into the nodes above it. An empty node, which `joinNeighbour`
  /// removes, has none.
  private func repeatFirst(of changed: Node) {
    var node = changed
    while let first = node.elements.first, let parent = node.parent {
      let index = parent.index(of: node)
      parent.elements[index] = first
      guard index == 0 else { return }
      node = parent
    }
  }

  // MARK: Balance

  private func split(_ node: Node) {
    let parent = node.parent ?? growRoot()
    let second = Node(isLeaf: node.isLeaf)
    reserve(second)
    node.moveTail(from: node.size / 2, to: second)
    callDidMove(second, from: 0)
    let index = parent.index(of: node)
    parent.counts[index] -= second.total
    parent.insert(second, at: index + 1)
    if parent.size > nodeSize { split(parent) }
  }

  /// Makes room for all elements of a leaf. Without it, the first insertion copies the leaf, in
  /// memory that is rarely cached.
  private func reserve(_ leaf: Node) {
    if leaf.isLeaf { leaf.elements.reserveCapacity(nodeSize + 1) }
  }

  private func callDidMove(_ leaf: Node, from start: Int) {
    guard leaf.isLeaf else { return }
    for offset in leaf.elements.indices[start...] {
      didMove(leaf.elements[offset], Position(leaf: leaf, offset: offset))
    }
  }

  private func growRoot() -> Node {
    let old = root
    root = Node(isLeaf: false)
    root.insert(old, at: 0)
    return root
  }

  private func joinNeighbour(of node: Node) {
    guard let parent = node.parent else { return shrinkRoot() }
    let index = parent.index(of: node)
    let neighbours = [index, index - 1].filter { $0 >= 0 && $0 + 1 < parent.size }
    let fitting = neighbours.first {
      parent.children[$0].size + parent.children[$0 + 1].size <= nodeSize
    }
    if let first = fitting {
      join(parent, first, first + 1)
    } else if node.size == 0 {
      parent.remove(at: index)
    } else {
      return
    }
    if parent.size < few { joinNeighbour(of: parent) }
  }

  private func join(_ parent: Node, _ first: Int, _ second: Int) {
    let (node, next) = (parent.children[first], parent.children[second])
    let offset = node.elements.count
    next.moveTail(from: 0, to: node)
    callDidMove(node, from: offset)
    parent.counts[first] += parent.counts[second]
    parent.remove(at: second)
    repeatFirst(of: node)
  }

  private func shrinkRoot() {
    while !root.isLeaf, root.size == 1 {
      root = root.children[0]
      root.parent = nil
    }
  }
}

extension CountedTree.Node {
  fileprivate var size: Int { isLeaf ? elements.count : children.count }

  fileprivate func insert(_ child: CountedTree.Node, at index: Int) {
    child.parent = self
    elements.insert(child.elements[0], at: index)
    children.insert(child, at: index)
    counts.insert(child.total, at: index)
  }

  fileprivate func remove(at index: Int) {
    elements.remove(at: index)
    children.remove(at: index)
    counts.remove(at: index)
  }

  fileprivate func moveTail(from offset: Int, to other: CountedTree.Node) {
    if isLeaf {
      other.elements += elements[offset...]
    } else {
      for child in children[offset...] { other.insert(child, at: other.size) }
      children.removeSubrange(offset...)
      counts.removeSubrange(offset...)
    }
    elements.removeSubrange(offset...)
  }
}

// MARK: - Building

extension CountedTree {
  func build(_ elements: some Collection<Element>) {
    count = elements.count
    lastRead = nil
    var level = elements.chunks(of: built).map { chunk in
      let leaf = Node(isLeaf: true)
      reserve(leaf)
      leaf.elements += chunk
      callDidMove(leaf, from: 0)
      return leaf
    }
    while level.count > 1 {
      level = level.chunks(of: built).map { chunk in
        let node = Node(isLeaf: false)
        for child in chunk { node.insert(child, at: node.size) }
        return node
      }
    }
    root = level.first ?? Node(isLeaf: true)
  }
}

extension Collection {
  fileprivate func chunks(of size: Int) -> [SubSequence] {
    stride(from: 0, to: count, by: size).map { dropFirst($0).prefix(size) }
  }
}
