// swift-tools-version: 6.2
import PackageDescription

// Outside this repository, depend on its URL and a version.
let package = Package(
  name: "my-topobench",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "topobench", path: "../..")],
  targets: [
    .executableTarget(
      name: "my-topobench", dependencies: [.product(name: "Topobench", package: "topobench")]),
    .executableTarget(
      name: "city-list", dependencies: [.product(name: "Topobench", package: "topobench")]),
  ],
  swiftLanguageModes: [.v6]
)
