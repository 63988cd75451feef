package import DataModel

/// The kind of changes that lead from the rows before to the rows after.
package enum ChangeStream: String, CaseIterable, Sendable {
  case incremental, replace, arrivals

  static let allNames = allCases.map(\.rawValue)
}

/// The format of arriving rows.
package enum ArrivalFormat: String, CaseIterable, Sendable {
  case rows, json

  static let allNames = allCases.map(\.rawValue)
}

/// When to-one relationships are set.
package enum ReferenceOrder: String, CaseIterable, Sendable {
  /// With the row that holds them, unless their destination comes later.
  case withRows = "with-rows"
  /// After all rows exist.
  case afterwards

  static let allNames = allCases.map(\.rawValue)
}

/// The disk that the store lies on.
package enum StorageKind: String, CaseIterable, Sendable {
  /// The disk of this machine.
  case local
  /// A disk as slow as a phone's flash.
  case phone

  static let allNames = allCases.map(\.rawValue)
}

/// The objects that the main context has realised when the window opens.
package enum Realisation: String, CaseIterable, Sendable {
  case none, visible, all

  static let allNames = allCases.map(\.rawValue)
}

/// The rows that the user edits.
package enum EditedRows: String, CaseIterable, Sendable {
  /// Rows that the stream does not change.
  case untouched
  /// Rows that the stream updates, in an attribute that it leaves as it was.
  case updated

  static let allNames = allCases.map(\.rawValue)
}

/// One scenario of a scenario file: decoded, validated and without a sweep.
///
/// `Scenarios/README.md` explains every field; ``ScenarioField/all`` is its source.
package struct Scenario: Sendable {
  /// The data files, which existed when the scenario was loaded. Unused if rows are generated.
  package struct Data: Sendable, Equatable {
    package let before: String
    package let after: String
    /// The number of keys that take part; nil for all.
    package let rows: Int?
  }

  /// The rows of an entity other than the list's.
  package struct OtherRows: Sendable, Equatable {
    package let entity: RowDescription
    package let before: String
    package let after: String
    /// Nil if the rows come from files.
    package let generation: Generation?
  }

  package struct Changes: Sendable, Equatable {
    package let stream: ChangeStream
    /// Changes in a batch; nil for one batch of all.
    package let perSave: Int?
    /// Saves in a burst; nil for one burst of all.
    package let burst: Int?
    /// The time from the beginning of one burst to the beginning of the next.
    package let burstInterval: Duration
    /// The number of rows that a second worker changes at the same time.
    package var bySecondWorker = 0
    package var references = ReferenceOrder.withRows
    package var arriveAsJSON = false
    /// The format of a predicate that selects the list's rows to delete; nil to delete by key.
    package var deleteWhere: String?

    package init(
      stream: ChangeStream, perSave: Int?, burst: Int? = nil, burstInterval: Duration = .zero
    ) {
      self.stream = stream
      self.perSave = perSave
      self.burst = burst
      self.burstInterval = burstInterval
    }
  }

  package struct List: Sendable, Equatable {
    package let order: ListOrder
    package let visibleRows: Int
    package let scrollRowsPerSecond: Double
    /// In hertz.
    package let frameRate: Double
  }

  /// The main-queue time of drawing.
  package struct Drawing: Sendable, Equatable {
    package let delta: Duration
    package let cell: Duration
    package let reload: Duration
    package let frame: Duration
    /// The time for each row of the list at every change.
    package let snapshotItem: Duration

    package init(
      delta: Duration = .zero, cell: Duration = .zero, reload: Duration = .zero,
      frame: Duration = .zero, snapshotItem: Duration = .zero
    ) {
      self.delta = delta
      self.cell = cell
      self.reload = reload
      self.frame = frame
      self.snapshotItem = snapshotItem
    }
  }

  package struct User: Sendable, Equatable {
    package let fetchesPerSecond: Double
    package let editsPerSecond: Double
    package let editedRows: EditedRows
    /// The index of the attribute that edits change.
    package let editedAttribute: Int

    package init(
      fetchesPerSecond: Double, editsPerSecond: Double, editedRows: EditedRows = .untouched,
      editedAttribute: Int
    ) {
      self.fetchesPerSecond = fetchesPerSecond
      self.editsPerSecond = editsPerSecond
      self.editedRows = editedRows
      self.editedAttribute = editedAttribute
    }
  }

  package let name: String
  /// The scenario's question, in one sentence.
  package let asks: String
  /// The columns of the list's data files.
  package let entity: RowDescription
  /// The entities of the store, with those of the rows.
  package let model: ScenarioModel
  package let data: Data
  /// Nil if the rows come from files.
  package let generation: Generation?
  /// The entities with rows other than the list's.
  package let others: [OtherRows]
  package let changes: Changes
  package let find: Lookup
  package let storage: StorageKind
  package let realised: Realisation
  /// The share of the list that main has read before the window opens, from 0 to 1.
  package let realisedShare: Double
  package let list: List
  package let drawing: Drawing
  package let user: User
  package let horizon: Duration
  /// The least total time of the windows. There is at least one window.
  package let repeatFor: Duration
  /// Processes per topology and store mode; nil for as many as a verdict needs.
  package let trials: Int?
  package let file: String

  /// Every field and its value in the documentation's order, for the environment file.
  package let fields: [(path: String, value: ParameterValue)]
  /// The fields set by `--set` or a sweep.
  package let parameters: [String: ParameterValue]

  /// Every entity with rows; the list's comes first.
  package var entities: [RowDescription] { [entity] + others.map(\.entity) }

  /// ``parameters`` as a JSON object with sorted keys; empty if there are none.
  package var parametersJSON: String {
    guard !parameters.isEmpty else { return "" }
    return ParameterValue.mapping(
      parameters.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
    ).json
  }

  /// The values of `--set` with which ``load(file:set:)`` makes this scenario from its file.
  package var overrides: [String] {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.asOverride)" }
  }
}

extension ParameterValue {
  fileprivate var asOverride: String {
    if case .text(let text) = self { text } else { json }
  }
}
