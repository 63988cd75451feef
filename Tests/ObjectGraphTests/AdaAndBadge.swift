import ObjectGraph
import TestSupport
import Testing

extension ManagedObjectContext {
  /// Saves an employee, Ada, and a badge without an owner.
  func saveAdaAndBadge() throws {
    try performAndWait {
      _ = hire("Ada")
      insert(Company.badge)[Company.number] = 1
      try save()
    }
  }

  /// The only badge.
  func badge() throws -> ManagedObject { try #require(try all(Company.badge).first) }
}
