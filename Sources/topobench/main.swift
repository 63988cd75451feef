import Commands

Topobench.main()
