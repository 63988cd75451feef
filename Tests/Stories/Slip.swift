import ArgumentParser

/// A rule that the reference breaks on purpose. The comparison must detect it.
enum Slip: String, CaseIterable, Sendable, ExpressibleByArgument {
  case mergeDropsEdits
  case noConflicts
  case fetchWithoutPending
  case fetchRefreshes
  case childSaveUnseen
  case strongRegistration
  case noInverses
  case noDeleteRules
  case rollbackKeepsDeletions
  case permanentIDsComeLater
  case deletedTargetsAreSaved
  case localChangesWin
  /// A row that is missing comes back under a policy that prefers the store.
  case goneRowsComeBack
  case mergesByHandOnly
  case goneTargetsStay
  case undoneInsertsStay
  /// Relations that a merge brings and an edit replaces.
  case replacedRelationsStay
  /// Members that a merged batch deletion names and no object here is registered for.
  case unknownMembersStay
  case redoneDeletionsStay
}
