import Commands

// The whole command with two more topologies. Each cell is a process of this executable.
Topobench.main(adding: [LateMerge.descriptor, SharedRoot.descriptor])
