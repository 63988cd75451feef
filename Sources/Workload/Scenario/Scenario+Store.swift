import Queues
import Support

/// The use of the whole history when the window opens.
package enum HistoryUse: String, CaseIterable, Sendable {
  case none, read, purge
}

/// The thread on which a topology opens its store.
package enum OpeningThread: String, CaseIterable, Sendable {
  case main, background
}

/// The version of the model that the store was written with.
package enum StoreVersion: String, CaseIterable, Sendable {
  case current, previous
}

package enum WorkerLife: String, CaseIterable, Sendable {
  case batch, run
}

extension Scenario {
  package struct Store: Sendable, Equatable {
    /// Transactions in its history before the window opens.
    package let age: Int
    package let historyUse: HistoryUse
    package let workerLife: WorkerLife
    package let workersUndo: Bool
    package let opensOn: OpeningThread
    package let version: StoreVersion

    static let fields = [
      ScenarioField(
        "store.age", .integer(0...1_000_000), default: .integer(0), unit: "transactions",
        "The store's history, ten changes a transaction, written between the rows: its file is fragmented. Each stack then keeps history."
      ),
      ScenarioField(
        "store.opens_on", .choice(of: OpeningThread.self), default: .text("main"),
        "The thread on which the store is opened. `main`: as a container loads its stores by default. The first fetch stays where the topology makes it."
      ),
      ScenarioField(
        "store.version", .choice(of: StoreVersion.self), default: .text("current"),
        "`previous`: the store is written with the model as it was before `store.changes_since`. Opening migrates it."
      ),
      ScenarioField(
        ModelChange.path, .modelChanges, default: .list([]),
        "The changes that made the model's current version, as in `[{added: Item.note}]`. Rows that exist before the stream hold an added attribute's default. An added entity has no such rows."
      ),
      ScenarioField(
        "worker.history", .choice(of: HistoryUse.self), default: .text("none"),
        "Whether the whole history is read or purged as the window opens, beside the stream."),
      ScenarioField(
        "worker.lives", .choice(of: WorkerLife.self), default: .text("batch"),
        "`run`: one context makes all batches of a worker, and keeps the objects that it touched."),
      ScenarioField(
        "worker.undo", .choice(["true", "false"]), default: .text("false"),
        "Whether a worker's context has an undo manager, as a context of macOS has. `false`: as those of iOS, and as articles advise."
      ),
    ]

    init(_ values: FieldValues) throws(InputError) {
      age = values.integer("store.age") ?? 0
      historyUse = values.choice("worker.history")
      workerLife = values.choice("worker.lives")
      workersUndo = values.text("worker.undo") == "true"
      opensOn = values.choice("store.opens_on")
      version = values.choice("store.version")
      guard historyUse == .none || age > 0 else {
        throw values.error("worker.history", "needs store.age, the transactions of a history")
      }
      guard version == .current || !ModelChange.all(values).isEmpty else {
        throw values.error("store.version", "'previous' needs \(ModelChange.path)")
      }
    }
  }

  /// The costs of the storage core's events on another device, on the thread where they happen.
  package struct Costs: Sendable, Equatable {
    package let device: String?
    /// By event; only prices above zero.
    package let prices: [String: Duration]

    package static let events = PricedEvent.allCases.map(\.name)

    static let fields =
      [
        ScenarioField(
          "device", .text, default: .text("none"),
          "A profile in `devices/`, shipped or beside the scenario: it sets `storage` and `costs` where the scenario does not."
        )
      ]
      + events.map { name in
        ScenarioField(
          "costs.\(name)_us", .number(0...1_000_000), default: .integer(0), unit: "µs",
          "The price of an event on its thread: \(events.joined(separator: ", ")).")
      }

    init(_ values: FieldValues) {
      let name = values.text("device")
      device = name == "none" ? nil : name
      prices = Dictionary(
        uniqueKeysWithValues: Self.events.map { name in
          (name, .microseconds(values.number("costs.\(name)_us")))
        }
      ).filter { $0.value > .zero }
    }
  }
}
