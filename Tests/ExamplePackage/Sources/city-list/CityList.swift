import ObjectGraph
import Queues
import Topologies

/// The city list, updated in the background while main shows it.
nonisolated struct CityList: Sendable {
  let store: ObjectStore

  /// Inserts new cities, updates changed ones, and deletes missing ones.
  ///
  /// - Parameter report: called with a summary, on the main queue.
  func update(to records: [CityRecord], then report: @escaping @Sendable (String) -> Void) {
    store.start { context in
      var missing = Dictionary(
        uniqueKeysWithValues: try context.fetch(FetchRequest(City.entity)).map { ($0[City.id], $0) }
      )
      var changed: [ManagedObject] = []
      for record in records {
        let city = missing.removeValue(forKey: record.id) ?? context.insert(City.entity)
        if city.take(record) { changed.append(city) }
      }
      missing.values.forEach(context.delete)
      return .init(changed, message: "\(changed.count) cities changed, \(missing.count) gone")
    } completion: { completion in
      // The completion has main's own objects.
      let largest = completion.objects.max { $0[City.population] < $1[City.population] }
      report(
        completion.message + (largest.map { "; \($0[City.name]) is the largest of them" } ?? ""))
    }
  }

  /// The largest cities with at least `population` inhabitants. Call it on the main queue.
  func largest(_ count: Int, above population: Int64) throws -> [String] {
    try store.search(
      City.entity, where: City.population >= population,
      sortedBy: [City.population.descending, City.id.ascending]
    ).prefix(count).map { "\($0[City.name]) \($0[City.population])" }
  }
}

nonisolated extension ManagedObject {
  /// - Returns: whether any value changed.
  fileprivate func take(_ record: CityRecord) -> Bool {
    let isNew = isInserted
    if isNew { self[City.id] = record.id }
    let differs =
      isNew || self[City.name] != record.name
      || self[City.population] != record.population
    if differs {
      self[City.name] = record.name
      self[City.population] = record.population
    }
    return differs
  }
}
