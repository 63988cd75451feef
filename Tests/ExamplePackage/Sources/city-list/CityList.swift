import ObjectGraph
import Queues
import Topologies

/// The city list: brought up to date in the background, in place, while main keeps showing it.
struct CityList: Sendable {
  let store: ObjectStore

  /// Inserts what is new, sets what differs, and deletes what is no longer there.
  ///
  /// - Parameter told: what came of it, on the main queue.
  func update(to records: [CityRecord], told: @escaping @Sendable (String) -> Void) {
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
      // Main's own objects, for a cell to show.
      let largest = completion.objects.max { $0[City.population] < $1[City.population] }
      told(completion.message + (largest.map { "; \($0[City.name]) is the largest of them" } ?? ""))
    }
  }

  /// The largest cities of at least so many people. On the main queue.
  func largest(_ count: Int, above population: Int64) throws -> [String] {
    try store.search(
      City.entity, where: City.population >= population,
      sortedBy: [City.population.descending, City.id.ascending]
    ).prefix(count).map { "\($0[City.name]) \($0[City.population])" }
  }
}

extension ManagedObject {
  /// - Returns: whether anything was different.
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
