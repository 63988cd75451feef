import Foundation
import Support
import TestSupport
import Testing

@testable import ObjectGraph

/// Keeps a tree, a plain array of the same elements, and each element's leaf.
private final class TreeAndArray {
  final class Leaves { var of: [Int: CountedTree<Int>.Node] = [:] }

  let leaves = Leaves()
  let tree: CountedTree<Int>
  var array: [Int]

  init(_ elements: [Int], nodeSize: Int = 64) {
    array = elements
    tree = CountedTree(elements, nodeSize: nodeSize) { [leaves] in leaves.of[$0] = $1.leaf }
  }

  func insert(_ element: Int) throws {
    let (position, index) = tree.firstPosition { $0 > element }
    try #require(index == tree.index(of: position))
    try #require(index == 0 || array[index - 1] <= element)
    try #require(index == array.count || array[index] > element)
    tree.insert(element, at: position)
    array.insert(element, at: index)
    try #require(tree[index] == element)
  }

  func remove(at index: Int) throws {
    let element = array.remove(at: index)
    try #require(tree[index] == element)
    let kept = leaves.of.removeValue(forKey: element)
    let leaf = try #require(kept)
    let offset = try #require(leaf.elements.firstIndex(of: element))
    let position = CountedTree.Position(leaf: leaf, offset: offset)
    try #require(tree.index(of: position) == index)
    let removed = tree.remove(at: position)
    try #require(removed == element)
  }

  func check() throws {
    var listed: [Int] = []
    tree.forEach { listed.append($0) }
    try #require(listed == array)
    try #require(tree.count == array.count)
    try #require(array.indices.allSatisfy { tree[$0] == array[$0] })
  }
}

@Suite("A list with cheap indexes")
struct CountedTreeTests {
  @Test(arguments: [0, 1, 48, 49, 64, 65, 2_304, 2_305])
  func `a built tree has the elements of its collection`(count: Int) throws {
    try TreeAndArray(Array(0..<count)).check()
  }

  /// A million edits in a soak.
  private static let edits =
    ProcessInfo.processInfo.environment["TOPOBENCH_SOAK"] == nil ? 9_000 : 1_000_000

  @Test(arguments: [4, 8, 64])
  func `random edits leave the same elements as in an array`(nodeSize: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SplitMix64(seed: seed)
    var next = 100_000
    let both = TreeAndArray((0..<5_000).map { $0 * 20 }, nodeSize: nodeSize)
    // Mostly removes until the list is empty, then mostly inserts until it is long.
    var growth = 20
    do {
      for edit in 0..<Self.edits {
        if both.array.isEmpty { growth = 80 }
        if both.array.count > 20_000 { growth = 20 }
        if both.array.isEmpty || Int.random(in: 0..<100, using: &random) < growth {
          next += 1
          try both.insert(Int.random(in: 0..<1_000, using: &random) * 10_000_000 + next)
        } else {
          try both.remove(at: Int.random(in: both.array.indices, using: &random))
        }
        if edit % 5_000 == 0 { try both.check() }
      }
      try both.check()
    } catch { Issue.record("seed \(seed): \(error)") }
  }

  @Test(arguments: [4, 8, 64])
  func `a tree from which everything is removed is empty and can grow again`(nodeSize: Int) throws {
    let both = TreeAndArray(Array(0..<5_000), nodeSize: nodeSize)
    while !both.array.isEmpty { try both.remove(at: both.array.count / 2) }
    try both.check()
    for element in 0..<200 { try both.insert(element) }
    try both.check()
  }

  private final class Number {
    let value: Int
    init(_ value: Int) { self.value = value }
  }

  private func replaceByEqual(in tree: CountedTree<Number>, at index: Int) -> Number {
    let old = tree[index]
    tree.replace(at: tree.position(at: index), by: Number(old.value))
    return old
  }

  @Test(arguments: [4, 8, 64])
  func `a tree keeps no removed or replaced element`(nodeSize: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SplitMix64(seed: seed)
    let tree = CountedTree((0..<5_000).map(Number.init), nodeSize: nodeSize) { _, _ in }
    do {
      while tree.count > 0 {
        let index = Int.random(in: 0..<tree.count, using: &random)
        weak let replaced = replaceByEqual(in: tree, at: index)
        try #require(replaced == nil)
        weak let removed = tree.remove(at: tree.position(at: index))
        try #require(removed == nil)
      }
    } catch { Issue.record("seed \(seed): \(error)") }
  }
}
