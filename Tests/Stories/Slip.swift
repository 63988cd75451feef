/// A rule that the reference breaks on purpose. The comparison must detect it.
enum Slip: String, CaseIterable, Sendable {
  /// A merge loses the edits.
  case mergeDropsEdits
  /// A save ignores a conflict with another context's row.
  case noConflicts
  /// A fetch ignores pending changes.
  case fetchWithoutPending
  /// A fetch updates registered objects.
  case fetchRefreshes
  /// A child's save does not reach its parent.
  case childSaveUnseen
  /// Clean objects without references stay registered.
  case strongRegistration
  /// Only one side of a relationship changes.
  case noInverses
  /// A relationship still refers to a deleted object.
  case noDeleteRules
  /// A rollback does not revive deleted objects.
  case rollbackKeepsDeletions
  /// Only saves assign permanent IDs.
  case permanentIDsComeLater
  /// A relation to a deleted object is saved.
  case deletedTargetsAreSaved
  /// The local change wins every conflict.
  case localChangesWin
  /// A row that is missing under a policy that prefers the store comes back.
  case goneRowsComeBack
  /// No context merges automatically.
  case mergesByHandOnly
  /// A relation to an object that another context deleted stays.
  case goneTargetsStay
  /// An undo keeps new objects.
  case undoneInsertsStay
}
