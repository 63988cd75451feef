/// A rule that the reference gets wrong on purpose: whoever compares with it must notice.
enum Slip: String, CaseIterable, Sendable {
  /// A merge takes the edits along.
  case mergeDropsEdits
  /// A save of a row that another context changed goes through.
  case noConflicts
  /// A fetch knows nothing of pending changes.
  case fetchWithoutPending
  /// A fetch brings what is registered up to date.
  case fetchRefreshes
  /// A child's save stays where it is.
  case childSaveUnseen
  /// Clean objects that nobody holds stay.
  case strongRegistration
  /// Only the side that is set changes.
  case noInverses
  /// What is related to a deleted object keeps naming it.
  case noDeleteRules
  /// A rollback forgets about deletions.
  case rollbackKeepsDeletions
}
