/// The topologies that come with the command. A new one is a file and a line here.
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
    Refetch.descriptor,
    BatchInsert.descriptor,
    PrivateFromMain.descriptor,
    GRDBPeer.poolDescriptor,
    GRDBPeer.queueDescriptor,
    SQLiteDirect.descriptor,
    SlicedMerge.descriptor,
  ]

  /// What the founding question compares, and what runs where no topology is named.
  public static let founding = [
    "main-only", "parent-child", "root-main-private", "notification-merge",
  ]
}
