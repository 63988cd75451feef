import Testing

@testable import Reports

@Suite struct TopologiesListTests {
  private let entries = [
    TopologiesList.Entry(
      name: "notification-merge", marks: [], picture: "worker → coordinator ← main",
      knownAs: ["mergeChanges(fromContextDidSave:)", "JSQCoreDataKit"],
      summary:
        "The worker writes beside main; what it saved is merged into main, on the main queue.",
      mainCosts: "The merge.", chooseWhen: "The rule, unless something speaks against it."),
    TopologiesList.Entry(
      name: "grdb-queue", marks: ["peer, no contexts", "store: serial only"],
      picture: "worker → queue → SQLite", summary: "One connection.", mainCosts: "",
      chooseWhen: "", refusals: "No sweep: nothing can be found."),
  ]

  private func text(width: Int, isUTF8: Bool = true) -> String {
    DocumentFormat.table.render(
      Listing(topologies: entries).document,
      TextStyle(width: width, isUTF8: isUTF8))
  }

  @Test func `each topology has its wiring and what is known of it`() {
    #expect(
      text(width: 80) == """
        notification-merge
          known as  mergeChanges(fromContextDidSave:); JSQCoreDataKit
          wiring    worker → coordinator ← main
          does      The worker writes beside main; what it saved is merged into main, on
                    the main queue.
          on main   The merge.
          choose    The rule, unless something speaks against it.

        grdb-queue (peer, no contexts; store: serial only)
          wiring   worker → queue → SQLite
          does     One connection.
          refuses  No sweep: nothing can be found.

        """)
  }
}
