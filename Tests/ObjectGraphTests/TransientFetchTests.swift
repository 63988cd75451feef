import ObjectGraph
import TestSupport
import Testing

/// `mood` is transient, so no store can read it.
@Suite("Fetches and transient attributes") struct TransientFetchTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
  }

  private func refusal(
    of attribute: String = "Person.mood", _ use: FetchError.Use,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (ManagedObjectContext) throws -> Void
  ) {
    let names = attribute.split(separator: ".").map(String.init)
    let expected = FetchError.transient(entity: names[0], attribute: names[1], use: use)
    #expect(throws: expected, sourceLocation: sourceLocation) {
      try context.performAndWait { try body(context) }
    }
  }

  @Test func `every kind of fetch refuses a predicate with a transient attribute`() {
    let request = FetchRequest(Company.person, where: Company.mood == "fine")
    refusal(.predicate) { _ = try $0.fetch(request) }
    refusal(.predicate) { _ = try $0.count(request) }
    refusal(.predicate) { _ = try $0.fetchIDs(request) }
    refusal(.predicate) { _ = try $0.fetchInBatches(request) }
    refusal(.predicate) { context in
      try FetchedResultsController(
        FetchRequest(
          Company.person, where: Company.mood == "fine", sortedBy: [Company.name.ascending]),
        in: context
      ).performFetch()
    }
    refusal(.predicate) { try $0.execute(.delete(request)) }
  }

  @Test(arguments: [
    "mood IN {'fine'}", "NOT mood == nil", "name == 'x' OR mood CONTAINS 'i'", "name == mood",
    "ANY friends.mood == 'fine'", "SUBQUERY(friends, $f, $f.mood == 'fine').@count > 1",
    "SUBQUERY(friends, $f, $f.name == mood).@count == 2",
  ])
  func `a transient attribute is found anywhere in a predicate`(format: String) throws {
    let predicate = try FetchPredicate(format: format, Company.person, in: Company.model)
    refusal(.predicate) { _ = try $0.fetch(FetchRequest(Company.person, where: predicate)) }
  }

  @Test func `behind a relationship, the error names the attribute's entity`() throws {
    let predicate = try FetchPredicate(
      format: "owner.mood == 'fine'", Company.badge, in: Company.model)
    refusal(of: "Employee.mood", .predicate) {
      _ = try $0.fetch(FetchRequest(Company.badge, where: predicate))
    }
    refusal(of: "Employee.mood", .order) {
      let order = Company.owner.appending(Company.mood).ascending
      _ = try $0.fetch(FetchRequest(Company.badge, sortedBy: [order]))
    }
  }

  @Test func `a sort order and a dictionary refuse a transient attribute`() {
    refusal(.order) {
      _ = try $0.fetch(FetchRequest(Company.person, sortedBy: [Company.mood.ascending]))
    }
    for property in [
      DictionaryProperty.value("m", Company.mood), .count("m", Company.mood),
      .maximum("m", Company.mood),
    ] {
      refusal(.dictionary) {
        _ = try $0.fetchDictionaries(DictionaryRequest(Company.person, [property]))
      }
    }
    var grouped = DictionaryRequest(Company.person, [.count("n")])
    grouped.groupBy = [Company.mood.path]
    refusal(.dictionary) { [grouped] in _ = try $0.fetchDictionaries(grouped) }
  }

  @Test func `a child refuses it too, with and without pending changes`() {
    let child = context.child()
    let request = FetchRequest(Company.person, where: Company.mood == "fine")
    child.performAndWait {
      #expect(throws: FetchError.self) { try child.fetch(request) }
      _ = child.hire("Ada")
      #expect(throws: FetchError.self) { try child.fetch(request) }
    }
  }

  @Test func `the error says what to do, and objects can be filtered`() throws {
    let error = FetchError.transient(entity: "Person", attribute: "mood", use: .predicate)
    #expect(
      error.description
        == "'Person.mood' is transient and in no store, so a fetch cannot compare it; fetch without"
        + " it and filter the objects (FetchPredicate.matches), or make the attribute persistent")
    try context.performAndWait {
      context.hire("Ada")[Company.mood] = "tired"
      _ = context.hire("Bob")
      let tired = try context.all(Company.person).filter((Company.mood == "tired").matches)
      #expect(tired.map { $0[Company.name] } == ["Ada"])
    }
  }
}
