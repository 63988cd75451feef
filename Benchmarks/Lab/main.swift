import Commands

Topobench.main(running: LabCommand.self)
