package import Baseline
import CLinux
import Foundation
package import ObjectGraph
package import Queues
package import SQLiteStore
package import Topologies
package import Workload

/// Everything that is computed before measuring.
package struct PreparedCell: Sendable {
  package let topology: TopologyDescriptor
  package let storeMode: StoreMode
  package let scenario: Scenario
  package let workload: Workload
  package let model: StoreModel
  package let batches: [ChangeBatch]
  /// The second worker's; empty without one.
  package let secondBatches: [ChangeBatch]
  /// The batches' effects as plain inserts, updates and deletes.
  package let effects: [[Change]]
  let realisedKeys: [Value]
  /// The typed text of each search, and the whole word of the last one.
  let typed: [String]
  let lastTyped: String
  let seed: UInt64
  /// Set in a counted cell. Its work must not depend on time: no beats, no scrolling, no drawing,
  /// no slow disk, one user event for each save.
  package let counted: CountedSlices?
  /// The phase whose instructions a counted cell counts.
  let countedPhase: ScreenPhase

  package init(
    _ workload: Workload, topology: TopologyDescriptor, storeMode: StoreMode,
    counted: CountedSlices? = nil, countsAskedPhase: Bool = false
  ) throws {
    self.counted = counted
    countedPhase = countsAskedPhase ? workload.scenario.asksAbout : .change
    self.topology = topology
    self.storeMode = storeMode
    self.workload = workload
    scenario = workload.scenario
    seed = workload.seed
    let model = try StoreModel(scenario)
    self.model = model
    batches = workload.batches.map(model.batch)
    secondBatches = workload.secondBatches.map(model.batch)
    effects = workload.effects.map { $0.map(model.change) }
    realisedKeys = workload.realisedKeys
    let searches = scenario.user.searchesPerSecond.events(in: scenario.horizon)
    (typed, lastTyped) = try workload.typed(searches, attribute: model.typedAttribute)
  }

  /// Computes what is expected of an opened screen, and at the end if the user edits nothing. Then
  /// frees the workload's rows if they are many or large: they would take memory beside main's
  /// objects. Only a wrong result or pairs need them again.
  ///
  /// - Returns: nil for the opened screen in a counted cell, which does not compare it.
  package func expectationsFreeingRows() -> (opened: Expectation?, settled: Expectation) {
    let opened = counted == nil ? Expectation(self, edits: nil) : nil
    let settled = Expectation(self, edits: 0)
    if workload.initialRows.count >= Self.manyRows || scenario.hasSizedValues {
      workload.freeRows()
      // Another thread will allocate the objects, and would not reuse this memory.
      clinux_return_free_memory()
      clinux_restart_peak_memory()
    }
    return (opened, settled)
  }

  private static let manyRows = 100_000

  var screen: ScreenSpecification {
    ScreenSpecification(
      visibleRows: scenario.list.visibleRows,
      rowsPerSecond: counted == nil ? scenario.list.scrollRowsPerSecond : 0,
      readsRows: scenario.realised != .none, drawing: counted == nil ? scenario.drawing : .free)
  }

  package var storage: Storage {
    switch scenario.storage {
    case _ where counted != nil: .local
    case .local: .local
    case .phone: .phone
    }
  }

  package var prices: [PricedEvent: Duration] {
    let named = Dictionary(uniqueKeysWithValues: PricedEvent.allCases.map { ($0.name, $0) })
    return Dictionary(
      uniqueKeysWithValues: scenario.costs.prices.compactMap { name, price in
        named[name].map { ($0, price) }
      })
  }

  /// Object trump if the scenario expects conflicts.
  ///
  /// If a uniqueness constraint finds a row, the arriving row wins. Worker and user, or two
  /// workers, edit different attributes of a row, so both edits remain.
  private var mergePolicy: MergePolicy {
    scenario.user.editedRows == .updated || scenario.find == .constraint ? .objectTrump : .error
  }

  private var realised: Realised {
    switch scenario.realised {
    case .none: .none
    case .visible: .visible
    case .all: .all
    }
  }

  func environment(
    store: URL, main: SimulatedMainQueue, screen: ListScreen
  ) -> TopologyEnvironment {
    // Weak, since the screen retains the list that notifies it.
    let listDidChange: @Sendable (ListEvent) -> Void = { [weak screen] in
      screen?.listDidChange($0)
    }
    let otherDidChange: @Sendable (ListEvent) -> Void = { [weak screen] _ in
      screen?.otherListDidChange()
    }
    return TopologyEnvironment(
      store: store, storeMode: storeMode, model: model.model, entity: model.entity,
      keyIndex: model.list.keyIndex, rowEntities: model.tables.map(\.rowEntity), mainQueue: main,
      lists: scenario.list.shown.enumerated().map { number, table in
        ListDescription(
          query(ofTable: table), didChange: number == 0 ? listDidChange : otherDidChange)
      },
      lookup: scenario.find, realised: realised,
      comparesBeforeSetting: scenario.changes.comparesBeforeSetting,
      keepsHistory: scenario.store.age > 0, reusesWorkers: scenario.store.workerLife == .run,
      workersUndo: scenario.store.workersUndo,
      runsDeleteRules: scenario.changes.deletions != .withoutRules,
      migratesStore: scenario.store.version == .previous, mergePolicy: mergePolicy)
  }

  /// A list of another entity than the first shows all of its rows.
  package func query(ofTable index: Int) -> ListQuery {
    var query = ListQuery(model.tables[index].entity, sortedBy: sortTerms(ofTable: index))
    guard index == 0 else { return query }
    query.predicate = model.listPredicate
    query.limit = scenario.list.limit
    query.batchSize = scenario.list.batchSize
    query.prefetching = model.prefetching
    query.related = model.related
    query.sections = sections
    return query
  }

  private var sections: SectionKey? {
    let isAscending = !(scenario.list.order.terms.first?.isDescending ?? false)
    switch scenario.list.section {
    case nil: return nil
    case .attribute(let index):
      return .column(model.list.columns[index], isAscending: isAscending)
    case .month(let index):
      let (column, calendar) = (model.list.columns[index], Calendar.utc)
      return .computed(isAscending: isAscending, name: MonthSection.name) {
        MonthSection.key(of: $0[column], calendar)
      }
    }
  }

  private func sortTerms(ofTable index: Int) -> [ObjectGraph.SortTerm] {
    let table = model.tables[index]
    return scenario.order(ofTable: index).terms.map {
      ObjectGraph.SortTerm(table.columns[$0.attribute], isAscending: !$0.isDescending)
        .localized($0.comparison)
    }
  }
}

extension Scenario {
  package var workKinds: Set<WorkKind> {
    var kinds: Set<WorkKind> = []
    if entities.contains(where: { !$0.references.isEmpty }) || entities.count > 1 {
      kinds.insert(.relatedRows)
    }
    if changes.stream == .arrivals { kinds.insert(find == .constraint ? .constraint : .arrivals) }
    if changes.arriveAsJSON { kinds.insert(.records) }
    if changes.deleteWhere != nil { kinds.insert(.deleteWhere) }
    if changes.deletions == .withoutRules { kinds.insert(.deletionWithoutRules) }
    if store.age > 0 { kinds.insert(.history) }
    if store.workersUndo { kinds.insert(.workersUndo) }
    if store.version == .previous { kinds.insert(.migration) }
    if list.batchSize > 0 { kinds.insert(.batches) }
    if !list.prefetching.isEmpty { kinds.insert(.prefetching) }
    switch list.section {
    case nil: break
    case .attribute: kinds.insert(.sections)
    case .month: kinds.formUnion([.sections, .computedSections])
    }
    return kinds
  }
}
