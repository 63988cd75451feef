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
  /// Permanent IDs are given out by saves only.
  case permanentIDsComeLater
  /// What was related to a deleted object is saved so.
  case deletedTargetsAreSaved
  /// Of clashing changes the local one wins, whatever the policy.
  case localChangesWin
  /// What a policy that prefers the store finds gone comes back.
  case goneRowsComeBack
  /// No context merges by itself.
  case mergesByHandOnly
  /// An undo leaves new objects where they are.
  case undoneInsertsStay
}
