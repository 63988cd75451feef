import ObjectGraph
import TestSupport

extension TestStore {
  /// Agra, Bern and Cali, with 10, 20 and 30 people.
  static func ofThreeCities() throws -> TestStore {
    let store = try TestStore()
    try store.fill([
      City.values(1, "Agra", population: 10), City.values(2, "Bern", population: 20),
      City.values(3, "Cali", population: 30),
    ])
    return store
  }
}

extension ManagedObjectContext {
  func listOfCities(
    _ predicate: FetchPredicate? = nil,
    sortedBy terms: [SortTerm] = [City.name.ascending, City.key.ascending],
    by key: SectionKey? = nil
  ) -> FetchedResultsController {
    FetchedResultsController(
      FetchRequest(City.entity, where: predicate, sortedBy: terms), in: self, sections: key)
  }
}

extension FetchedResultsController {
  var names: [String] { fetchedObjects.map { $0[City.name] } }
}

extension ListPath {
  init(item: Int) { self.init(section: 0, item: item) }
}
