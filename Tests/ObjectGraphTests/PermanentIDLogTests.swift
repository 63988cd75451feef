import Queues
import SQLiteStore
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Temporary IDs that became permanent are remembered as long as it takes")
struct SettledIDsTests {
  // 41, 42
  @Test func `IDs that nobody follows any more are forgotten`() throws {
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
      try child.performAndWait {
        for _ in 0..<500 { _ = child.found("Apollo", Company.project) }
        try child.save()
      }
      try parent.performAndWait { try parent.save() }
    }
    // The child has not looked since the last save.
    #expect(parent.settledIDs.permanent.count <= 3000)
    try child.performAndWait {
      try child.save()
      #expect(child.settledIDs.permanent.count <= 3000)
      #expect(!ada.objectID.isTemporary)
    }
  }

  // 41
  @Test func `a child that has not looked yet finds what it missed`() throws {
    let store = try TestStore(model: Company.model)
    let parent = store.context("parent")
    let (idle, busy) = (parent.child("idle"), parent.child("busy"))
    let ada = try idle.performAndWait {
      let ada = idle.hire("Ada")
      try idle.save()
      return ada
    }
    for _ in 0..<5 {
      try busy.performAndWait {
        for _ in 0..<1000 { _ = busy.found("Apollo", Company.project) }
        try busy.save()
      }
      try parent.performAndWait { try parent.save() }
    }
    try idle.performAndWait {
      let found = try idle.all(Company.person)
      #expect(found == [ada])
      #expect(!ada.objectID.isTemporary)
    }
  }
}
