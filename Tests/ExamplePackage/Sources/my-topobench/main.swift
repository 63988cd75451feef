import Commands

// The whole command with four more topologies. Each cell is a process of this executable.
Topobench.main(
  adding: [
    LateMerge.descriptor, SharedRoot.descriptor, BatchActor.descriptor, MainActorImport.descriptor,
  ])
