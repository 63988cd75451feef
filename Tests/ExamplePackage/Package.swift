// swift-tools-version: 6.2
import PackageDescription

// Outside this repository, depend on its URL and a version.
//
// The default isolation is that of new Xcode projects. Code of contexts runs on their queues, so
// it is `nonisolated`.
let settings: [SwiftSetting] = [.defaultIsolation(MainActor.self)]

let package = Package(
  name: "my-topobench",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "topobench", path: "../..")],
  targets: [
    .executableTarget(
      name: "my-topobench", dependencies: [.product(name: "Topobench", package: "topobench")],
      swiftSettings: settings),
    .executableTarget(
      name: "city-list", dependencies: [.product(name: "Topobench", package: "topobench")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
