import Commands

// The command with topologies that go wrong on purpose: what a reader's own executable looks like,
// and what the end-to-end tests run.
Topobench.main(adding: FaultyTopology.all + [PacedTopology.descriptor])
