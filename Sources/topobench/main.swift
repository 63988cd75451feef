import Commands

await Topobench.main()
