// swift-tools-version: 6.2
import PackageDescription

// Only declarations that a reader's own topology needs are public.
//
// ObjectGraph exports DataModel. Its dependents name both, because SwiftPM compiles a target
// again only if a module changed that the target names; inlined functions would stay old.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func grdb() -> [Target.Dependency] {
  [
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift"),
  ]
}

let package = Package(
  name: "topobench",
  // Only Linux is built and tested. The compiler on a Mac needs a least version of its system.
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "topobench", targets: ["topobench"]),
    .library(
      name: "Topobench",
      targets: ["Commands", "Topologies", "ObjectGraph", "DataModel", "SQLiteStore", "Queues"]),
  ],
  traits: [
    .trait(
      name: "Slowdown",
      description: "A test build whose merges and saves TOPOBENCH_SLOWDOWN makes slower."),
    .trait(
      name: "PlantedBugs",
      description: "A test build with the defect that TOPOBENCH_PLANTED_BUG names."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
  ],
  targets: [
    .target(name: "CLinux"),
    .target(name: "CSlowDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "Support", dependencies: ["Yams"]),
    .target(
      name: "Queues",
      dependencies: ["CLinux", .product(name: "DequeModule", package: "swift-collections")]),
    .target(name: "DataModel", dependencies: ["Queues"]),
    .target(name: "ObjectGraph", dependencies: ["CLinux", "DataModel", "Queues", "Support"]),
    .target(
      name: "SQLiteStore",
      dependencies: ["DataModel", "ObjectGraph", "Queues"] + grdb()),
    .target(
      name: "Baseline",
      dependencies: ["CSlowDisk", "DataModel", "ObjectGraph", "Queues", "SQLiteStore"] + grdb()),
    .target(
      name: "Topologies",
      dependencies: [
        "Queues", "Baseline", "DataModel", "ObjectGraph", "SQLiteStore",
        .product(name: "DequeModule", package: "swift-collections"),
      ] + grdb()),
    .target(name: "Workload", dependencies: ["DataModel", "Queues", "Support"]),
    .target(name: "Measurement", dependencies: ["Queues", "Support"]),
    .target(name: "Judging", dependencies: ["Measurement", "Support"]),
    .target(
      name: "Repeats",
      dependencies: [
        "Baseline", "DataModel", "Queues", "ObjectGraph", "SQLiteStore", "Topologies",
        "Workload", "Measurement", "Support",
      ]),
    .target(
      name: "Harness",
      dependencies: [
        "Baseline", "DataModel", "Queues", "ObjectGraph", "Repeats", "SQLiteStore",
        "Topologies", "Workload", "Measurement", "Judging", "Support",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(name: "Reports", dependencies: ["Judging", "Measurement", "Support"]),
    .target(
      name: "Commands",
      dependencies: [
        "DataModel", "Harness", "Reports", "Judging", "Measurement", "Queues", "Repeats",
        "SQLiteStore", "Support", "Topologies", "Workload",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "topobench", dependencies: ["Commands"]),
    .executableTarget(
      name: "core-bench",
      dependencies: [
        "CLinux", "DataModel", "ObjectGraph", "SQLiteStore", "Queues", "Measurement",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + grdb(),
      path: "Benchmarks/CoreBench"),
    .executableTarget(
      name: "topobench-lab",
      dependencies: [
        "Commands", "Harness", "Judging", "Measurement", "Reports", "SQLiteStore", "Support",
        "Topologies", "Workload",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Lab"),

    .target(
      name: "TestSupport",
      dependencies: ["Queues", "DataModel", "ObjectGraph", "SQLiteStore", "Support"],
      path: "Tests/TestSupport"),
    .target(name: "JSONSchemas", path: "Tests/JSONSchemas"),
    .target(
      name: "FuzzedReaders",
      dependencies: [
        "DataModel", "Harness", "Judging", "Measurement", "Repeats", "Reports", "Support",
        "Workload",
      ],
      path: "Tests/Fuzz/Readers"),
    .executableTarget(
      name: "faulty-topobench",
      dependencies: ["Commands", "Topologies", "DataModel", "ObjectGraph", "Queues"],
      path: "Tests/FaultyTopobench"),
    // .ci/run builds the example package by itself too.
    .executableTarget(
      name: "my-topobench",
      dependencies: ["Commands", "Topologies", "DataModel", "ObjectGraph", "Queues"],
      path: "Tests/ExamplePackage/Sources/my-topobench"),
    .executableTarget(
      name: "city-list",
      dependencies: ["Topologies", "DataModel", "ObjectGraph", "SQLiteStore", "Queues"],
      path: "Tests/ExamplePackage/Sources/city-list"),
    .target(name: "CSoakSupport", path: "Tests/CSoakSupport"),
    .target(
      name: "SoakSupport",
      dependencies: [
        "CSoakSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/SoakSupport"),
    .target(
      name: "CFaultyDisk", path: "Tests/CFaultyDisk",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "fault-soak",
      dependencies: [
        "CFaultyDisk", "DataModel", "ObjectGraph", "Queues", "SQLiteStore", "SoakSupport",
        "Support",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + grdb(),
      path: "Tests/Faults"),
    .testTarget(
      name: "FaultTests",
      dependencies: ["fault-soak", "ObjectGraph", "SQLiteStore", "SoakSupport", "TestSupport"]),
    .target(name: "CInterleaving", path: "Tests/CInterleaving"),
    .executableTarget(
      name: "interleaving-soak",
      dependencies: [
        "Baseline", "CInterleaving", "DataModel", "ObjectGraph", "Queues", "SQLiteStore",
        "SoakSupport", "Support", "TestSupport", "Topologies",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Interleavings",
      // For the names of functions in a report of a deadlock.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    // It runs interleaving-soak, and links none of it.
    .testTarget(name: "InterleavingTests", dependencies: ["TestSupport"]),
    .target(name: "CTracing", path: "Tests/CTracing"),
    .executableTarget(
      name: "harness-soak",
      dependencies: [
        "CTracing", "topobench", "Judging", "Measurement", "Queues", "SoakSupport", "Support",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/HarnessFaults"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "topobench", "faulty-topobench", "my-topobench", "city-list", "core-bench",
        "harness-soak", "topobench-lab",
        "Judging", "Measurement", "SQLiteStore", "DataModel", "ObjectGraph", "Topologies",
        "JSONSchemas", "SoakSupport",
        "Support",
      ]),
    .testTarget(name: "SupportTests", dependencies: ["Support"]),
    .testTarget(name: "QueuesTests", dependencies: ["Queues", "Support", "TestSupport"]),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "Baseline", "SQLiteStore", "DataModel", "ObjectGraph", "Queues", "Support", "TestSupport",
      ] + grdb()),
    .testTarget(
      name: "TopologiesTests",
      dependencies: [
        "Topologies", "Baseline", "DataModel", "ObjectGraph", "Queues", "SQLiteStore", "Support",
        "TestSupport",
      ]),
    .testTarget(
      name: "ObjectGraphTests",
      dependencies: ["DataModel", "ObjectGraph", "Queues", "SQLiteStore", "Support", "TestSupport"]),
    .executableTarget(
      name: "story-soak",
      dependencies: [
        "Baseline", "DataModel", "ObjectGraph", "Queues", "SQLiteStore", "SoakSupport", "Support",
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + grdb(),
      path: "Tests/Stories"),
    .testTarget(name: "StoryTests", dependencies: ["story-soak", "TestSupport"]),
    .target(
      name: "MeasurementSamples", dependencies: ["Measurement", "Support"],
      path: "Tests/MeasurementSamples"),
    .testTarget(
      name: "MeasurementTests", dependencies: ["Measurement", "MeasurementSamples", "Support"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "JudgingTests",
      dependencies: ["Judging", "Measurement", "MeasurementSamples", "Support", "topobench-lab"]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "Judging", "Measurement", "Support", "JSONSchemas", "topobench-lab",
      ]),
    .testTarget(
      name: "WorkloadTests", dependencies: ["DataModel", "Workload", "Support", "JSONSchemas"]),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "Commands", "Harness", "JSONSchemas", "Judging", "Measurement", "Reports", "SQLiteStore",
        "Support",
        "Topologies", "Workload", "topobench-lab",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "HarnessTests",
      dependencies: [
        "Baseline", "FuzzedReaders", "Harness", "Judging", "Measurement", "DataModel",
        "ObjectGraph", "Queues", "Repeats", "SQLiteStore", "Support", "Topologies", "Workload",
      ] + grdb()),
  ],
  swiftLanguageModes: [.v6]
)
// Nothing in these runs in a measured window or handles many rows. Without the optimiser they
// compile in a quarter of the time. SwiftPM accepts unsafe flags in a dependency of tools version
// 6.2 or later (swift-package-manager, issue 8876).
let unmeasured: Set = ["Commands", "Harness", "Judging", "Reports"]
let withPlantedBugs: Set = [
  "Queues", "ObjectGraph", "SQLiteStore", "Topologies", "interleaving-soak",
]
for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = settings
  if unmeasured.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  if target.name == "ObjectGraph" {
    target.swiftSettings?.append(.define("TOPOBENCH_SLOWDOWN", .when(traits: ["Slowdown"])))
  }
  if withPlantedBugs.contains(target.name) {
    target.swiftSettings?.append(.define("TOPOBENCH_PLANTED_BUGS", .when(traits: ["PlantedBugs"])))
  }
}

// For scripts/test --tsan: it does not compile what it would skip.
let leftOut = Context.environment["TOPOBENCH_WITHOUT_TESTS"]?.split(separator: " ") ?? []
package.targets.removeAll { target in leftOut.contains { $0 == target.name } }

// For scripts/fuzz only: libFuzzer has its own entry.
if Context.environment["TOPOBENCH_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz-readers", dependencies: ["FuzzedReaders"], path: "Tests/Fuzz/Entry",
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
