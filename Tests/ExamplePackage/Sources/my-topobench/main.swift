import Commands

// The whole command, and one topology more. Each cell is a process of this executable.
await Topobench.main(adding: [LateMerge.descriptor])
