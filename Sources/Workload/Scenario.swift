package import DataModel

/// Which changes bring the store from the rows before to the rows after.
package enum ChangeStream: String, CaseIterable, Sendable {
  case incremental, replace, arrivals

  static let allNames = allCases.map(\.rawValue)
}

/// What arriving rows look like.
package enum ArrivalFormat: String, CaseIterable, Sendable {
  case rows, json

  static let allNames = allCases.map(\.rawValue)
}

/// When to-one relationships are set.
package enum ReferenceOrder: String, CaseIterable, Sendable {
  /// With the row that holds them, unless what it refers to comes later.
  case withRows = "with-rows"
  /// After all rows are there.
  case afterwards

  static let allNames = allCases.map(\.rawValue)
}

/// The disk that the store lies on.
package enum StorageKind: String, CaseIterable, Sendable {
  /// This machine's.
  case local
  /// One that is as slow as a phone's flash.
  case phone

  static let allNames = allCases.map(\.rawValue)
}

/// Which objects the main context holds with their values when the window opens.
package enum Realisation: String, CaseIterable, Sendable {
  case none, visible, all

  static let allNames = allCases.map(\.rawValue)
}

/// Which rows the user edits.
package enum EditedRows: String, CaseIterable, Sendable {
  /// Those that the stream leaves alone.
  case untouched
  /// Those that the stream updates, in an attribute that it leaves alone there.
  case updated

  static let allNames = allCases.map(\.rawValue)
}

/// What is asked: one cell's worth of a scenario file, decoded, validated and without a sweep.
///
/// `Scenarios/README.md` says what every field means; ``ScenarioField/all`` is its source.
package struct Scenario: Sendable {
  /// Where the rows lie; the files were there when the scenario was loaded. Not looked at where the
  /// rows are generated.
  package struct Data: Sendable, Equatable {
    package let before: String
    package let after: String
    /// How many keys take part; nil for all.
    package let rows: Int?
  }

  /// The rows of another entity than the list's.
  package struct OtherRows: Sendable, Equatable {
    package let entity: RowDescription
    package let before: String
    package let after: String
    /// Nil where the rows come from files.
    package let generation: Generation?
  }

  package struct Changes: Sendable, Equatable {
    package let stream: ChangeStream
    /// Changes in a batch; nil for one batch of all.
    package let perSave: Int?
    /// Saves in a burst; nil for one burst of all.
    package let burst: Int?
    /// From the beginning of one burst to that of the next.
    package let burstInterval: Duration
    /// How many rows a second worker changes at the same time.
    package var bySecondWorker = 0
    package var references = ReferenceOrder.withRows
    package var arriveAsJSON = false
    /// Which rows of the list are deleted in the end, as a predicate's format; nil: by their keys.
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
    /// Hertz.
    package let frameRate: Double
  }

  /// What drawing costs on the main queue.
  package struct Drawing: Sendable, Equatable {
    package let delta: Duration
    package let cell: Duration
    package let reload: Duration
    package let frame: Duration
    /// For each row of the list, whenever it changed.
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
    /// The place of the attribute that edits change.
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
  /// One sentence: the question it puts.
  package let asks: String
  /// What a row is: the columns of the data files.
  package let entity: RowDescription
  /// The entities of the store, that of the rows among them.
  package let model: ScenarioModel
  package let data: Data
  /// Nil where the rows come from files.
  package let generation: Generation?
  /// The entities that have rows beside the list's.
  package let others: [OtherRows]
  package let changes: Changes
  package let find: Lookup
  package let storage: StorageKind
  package let realised: Realisation
  /// How much of the list main has read besides, from 0 to 1.
  package let realisedShare: Double
  package let list: List
  package let drawing: Drawing
  package let user: User
  package let horizon: Duration
  /// Windows are repeated until they add up to this; there is at least one.
  package let repeatFor: Duration
  /// Processes per topology and store mode; nil: enough for a verdict.
  package let trials: Int?
  /// The scenario file.
  package let file: String

  /// Every field and its value, in the order of the documentation: for the environment file.
  package let fields: [(path: String, value: ParameterValue)]
  /// What `--set` or a sweep decided, by field.
  package let parameters: [String: ParameterValue]

  /// Every entity that has rows; that of the list is the first.
  package var entities: [RowDescription] { [entity] + others.map(\.entity) }

  /// ``parameters`` as a JSON object with sorted keys; empty if nothing was set.
  package var parametersJSON: String {
    guard !parameters.isEmpty else { return "" }
    return ParameterValue.mapping(
      parameters.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }
    ).json
  }

  /// What ``load(file:set:)`` needs after `--set` to make this very scenario from the same file.
  package var overrides: [String] {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.asOverride)" }
  }
}

extension ParameterValue {
  fileprivate var asOverride: String {
    if case .text(let text) = self { text } else { json }
  }
}
