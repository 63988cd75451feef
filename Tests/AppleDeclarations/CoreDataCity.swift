import CoreData

// The app's own types that the page's blocks use. An app declares its attributes with @NSManaged.

final class City: NSManagedObject {
  var id: Int64 = 0
  var name = ""
}

struct CityRow: Sendable {
  let id: Int64
  let name: String

  init(_ city: City) {
    id = city.id
    name = city.name
  }
}
