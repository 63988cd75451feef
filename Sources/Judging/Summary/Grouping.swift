extension Sequence {
  /// In the order of the keys' first appearance.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])]
  {
    var keys: [Key] = []
    let groups = reduce(into: [Key: [Element]]()) { groups, element in
      let key = key(element)
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(element)
    }
    return keys.map { ($0, groups[$0, default: []]) }
  }
}
