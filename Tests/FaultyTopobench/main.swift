import Commands

// The end-to-end tests run this command, whose topologies fail on purpose.
Topobench.main(adding: FaultyTopology.all + [PacedTopology.descriptor])
