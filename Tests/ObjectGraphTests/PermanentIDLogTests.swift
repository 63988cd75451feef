import Queues
import SQLiteStore
import TestSupport
import Testing

@testable import ObjectGraph

// Semantics 41
@Suite("Removal of temporary IDs that became permanent")
struct SettledIDsTests {
  // Semantics 42
  @Test func `temporary IDs that no child follows any more are removed`() throws {
    let store = try TestStore(model: Company.model)
    let parent = store.context("parent")
    let child = parent.child()
    let ada = try child.performAndWait {
      let ada = child.hire("Ada")
      try child.save()
      return ada
    }
    try parent.performAndWait { try parent.save() }
    for _ in 0..<8 {
      try child.saving { for _ in 0..<500 { _ = child.found("Apollo", Company.project) } }
      try parent.performAndWait { try parent.save() }
    }
    #expect(parent.permanentIDs.byTemporaryID.count <= 3000)
    try child.performAndWait {
      try child.save()
      #expect(child.permanentIDs.byTemporaryID.count <= 3000)
      #expect(!ada.objectID.isTemporary)
    }
  }

  @Test func `a child that visits its parent late finds all IDs it missed`() throws {
    let store = try TestStore(model: Company.model)
    let parent = store.context("parent")
    let (idle, busy) = (parent.child("idle"), parent.child("busy"))
    let ada = try idle.performAndWait {
      let ada = idle.hire("Ada")
      try idle.save()
      return ada
    }
    for _ in 0..<5 {
      try busy.saving { for _ in 0..<1000 { _ = busy.found("Apollo", Company.project) } }
      try parent.performAndWait { try parent.save() }
    }
    try idle.performAndWait {
      let found = try idle.all(Company.person)
      #expect(found == [ada])
      #expect(!ada.objectID.isTemporary)
    }
  }
}
