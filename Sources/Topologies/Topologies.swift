/// The built-in topologies.
public enum Topologies {
  public static let builtIn: [TopologyDescriptor] = [
    MainOnly.descriptor,
    ParentChild.descriptor,
    RootMainPrivate.descriptor,
    RootMainPrivate.noWaitDescriptor,
    NotificationMerge.descriptor,
    Container.descriptor,
    ThreadConfinement.descriptor,
    RootHybrid.descriptor,
    TwoCoordinators.descriptor,
    ContextActor.descriptor,
    Refetch.descriptor,
    Refetch.coalescedDescriptor,
    SwiftData.descriptor,
    SwiftData.autosaveDescriptor,
    SwiftData.onMainDescriptor,
    BackgroundSnapshot.descriptor,
    BackgroundSnapshot.waitingDescriptor,
    BatchInsert.descriptor,
    PrivateFromMain.descriptor,
    GRDBPeer.poolDescriptor,
    GRDBPeer.asyncDescriptor,
    GRDBPeer.queueDescriptor,
    SQLiteDirect.descriptor,
    SlicedMerge.descriptor,
  ]

  /// The topologies that run if none is named.
  public static let founding = [
    "main-only", "parent-child", "root-main-private", "notification-merge",
  ]
}
