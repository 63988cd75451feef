import Measurement

/// Advice of guides, libraries and forums with its usual reason, each tested by one scenario.
enum CommonAdvice {
  static let all = [
    Advice(
      "Import in a child of the main context, and main no longer freezes"
        + " (before 0.3.0 judged by blocked time in 5000-cities: not separated).",
      scenario: "big-merge", at: ["generate.inserts": "60000"], recommends: "parent-child",
      over: "main-only", by: .mainLongestGap),
    Advice(
      "Put a private context between main and the disk: three levels keep main freest.",
      scenario: "5000-cities", recommends: "root-main-private", over: "notification-merge"),
    Advice(
      "Nested contexts spare main the merge, which costs more the more there is to merge.",
      scenario: "big-merge", at: ["generate.inserts": "60000"], recommends: "parent-child",
      over: "notification-merge"),
    Advice(
      "After a large import, let main fetch its list again in place of a merge"
        + " (3lvis/SwiftSync issue 217; Evidence judges it at a phone's prices).",
      scenario: "big-merge", at: ["generate.inserts": "60000"], recommends: "refetch",
      over: "notification-merge"),
    Advice(
      "For a large import, insert in batches, past the managed objects, and merge the history.",
      scenario: "big-merge", at: ["generate.inserts": "60000"], recommends: "batch-insert",
      over: "notification-merge", unreproduced: ["wwdc20-merge"]),
    Advice(
      "Merging is dear when everything is realised; push changes up from a child instead.",
      scenario: "registered", at: ["main.realised_percent": "100"], recommends: "parent-child",
      over: "notification-merge"),
    Advice(
      "Many small saves belong in a child context: its saves are in memory.",
      scenario: "employees", recommends: "parent-child", over: "notification-merge"),
    Advice(
      "A root context spares main the disk when there are many saves.",
      scenario: "save-per-object", at: ["user.fetches_per_s": "0"],
      recommends: "root-main-private", over: "notification-merge"),
    Advice(
      "A user who scrolls is disturbed least where main merges nothing and writes nothing.",
      scenario: "5000-cities-scroll", recommends: "root-main-private", over: "notification-merge",
      by: .mainLongestGap),
    Advice(
      "A user who edits waits for nobody's transaction where root does the writing.",
      scenario: "5000-cities-edit", recommends: "root-main-private", over: "notification-merge"),
    Advice(
      "With a coordinator of its own, the worker no longer holds main up.",
      scenario: "5000-cities-scroll", recommends: "two-coordinators", over: "notification-merge"),
    Advice(
      "Without contexts there is nothing to merge: GRDB in a pool keeps main freer.",
      scenario: "5000-cities", recommends: "grdb-pool", over: "notification-merge"),
    Advice(
      "To replace a list, write beside main and merge: a child pushes every row up.",
      scenario: "5000-cities-replace", recommends: "notification-merge", over: "parent-child"),
    Advice(
      "Show values made in the background, not SwiftData's live queries"
        + " (bangumi/Bangumi-iOS pull request 114).",
      scenario: "many-lists", at: ["changes.per_save": "61"], recommends: "background-snapshot",
      over: "swiftdata"),
    Advice(
      "Map a list's rows to values in the background, and main has little left to do"
        + " (GetStream/stream-chat-swift pull request 2237).",
      scenario: "chat", recommends: "background-snapshot", over: "notification-merge"),
    Advice(
      "Let main keep the mapped items, so that it never waits for the context that observes"
        + " (GetStream/stream-chat-swift pull request 4218).",
      scenario: "chat", recommends: "background-snapshot", over: "background-snapshot-waiting",
      by: .mainLongestGap),
  ]
}
