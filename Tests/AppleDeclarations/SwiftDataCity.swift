import SwiftData

// The app's own types that the page's blocks use. An app declares models and actor by macros.

final class City: PersistentModel {
  var id: Int64
  var name: String

  init(_ row: CityRow) {
    id = row.id
    name = row.name
  }
}

struct CityRow: Sendable {
  let id: Int64
  let name: String

  init(_ city: City) {
    id = city.id
    name = city.name
  }
}

/// `@ModelActor actor CityStore {}`, expanded.
actor CityStore: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor

  init(modelContainer container: ModelContainer) {
    modelContainer = container
    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(container))
  }
}
