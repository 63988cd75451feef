import ObjectGraph
import TestSupport
import Testing

extension ManagedObjectContext {
  func saveAdaAndBadge() throws {
    try performAndWait {
      _ = hire("Ada")
      insert(Company.badge)[Company.number] = 1
      try save()
    }
  }

  func badge() throws -> ManagedObject { try #require(try all(Company.badge).first) }

  func badge(_ number: Int64) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Company.badge, where: Company.number == number)).first)
  }

  func department(_ title: String) throws -> ManagedObject {
    try #require(try fetch(FetchRequest(Company.department, where: Company.title == title)).first)
  }

  func employee(_ name: String) throws -> ManagedObject { try #require(try person(name)) }
}
