import ObjectGraph
import Testing

/// A screen that knows a list only by its delegate calls, which it replays.
final class ListMirror: FetchedResultsDelegate {
  struct Frame: Equatable {
    var sections: [ListSectionChange] = []
    var objects: [ListObjectChange] = []

    var deletedSections: [Int] {
      sections.compactMap { if case .delete(let old) = $0 { old } else { nil } }
    }
    var insertedSections: [Int] {
      sections.compactMap { if case .insert(let new) = $0 { new } else { nil } }
    }
  }

  private(set) var names: [String]
  private(set) var objects: [[ManagedObject]]
  private(set) var frames: [Frame] = []
  private(set) var calls: [String] = []
  private var frame: Frame?
  private var leaving: [ListPath] = []
  private var arriving: [(path: ListPath, object: ManagedObject)] = []
  private var newNames: [Int: String] = [:]

  init(of list: FetchedResultsController) {
    (names, objects) = Self.state(of: list)
    list.delegate = self
  }

  convenience init(fetching list: FetchedResultsController) throws {
    try list.performFetch()
    self.init(of: list)
  }

  static func state(of list: FetchedResultsController) -> ([String], [[ManagedObject]]) {
    let all = list.fetchedObjects
    return (list.sections.map(\.name), list.sections.map { Array(all[$0.range]) })
  }

  func listWillChange(_ list: FetchedResultsController) {
    calls.append("will")
    #expect(frame == nil)
    #expect(Self.state(of: list) == (names, objects), "the old state is still there")
    frame = Frame()
    (leaving, arriving, newNames) = ([], [], [:])
  }

  func list(_ list: FetchedResultsController, section: ListSection, did change: ListSectionChange) {
    calls.append("section")
    frame?.sections.append(change)
    switch change {
    case .delete(let old): #expect(section.name == names[old])
    case .insert(let new): newNames[new] = section.name
    }
  }

  func list(_ list: FetchedResultsController, object: ManagedObject, did change: ListObjectChange) {
    calls.append("object")
    frame?.objects.append(change)
    switch change {
    case .delete(let old):
      #expect(self[old] === object)
      leaving.append(old)
    case .insert(let new): arriving.append((new, object))
    case .move(let old, let new):
      #expect(self[old] === object)
      leaving.append(old)
      arriving.append((new, object))
    case .update(let old): #expect(self[old] === object)
    }
  }

  func listDidChange(_ list: FetchedResultsController) {
    calls.append("did")
    guard let frame else {
      Issue.record("no frame was opened")
      return
    }
    replay(frame)
    frames.append(frame)
    self.frame = nil
  }

  private subscript(path: ListPath) -> ManagedObject { objects[path.section][path.item] }

  private func replay(_ frame: Frame) {
    for path in leaving.sorted(by: >) { objects[path.section].remove(at: path.item) }
    for section in frame.deletedSections.sorted(by: >) {
      #expect(objects[section].isEmpty, "a section that goes is empty by then")
      objects.remove(at: section)
      names.remove(at: section)
    }
    for section in frame.insertedSections.sorted() {
      objects.insert([], at: section)
      names.insert(newNames[section] ?? "?", at: section)
    }
    for (path, object) in arriving.sorted(by: { $0.path < $1.path }) {
      objects[path.section].insert(object, at: path.item)
    }
  }
}
