/// The versions of the packages in this program, as Package.swift pins them.
package enum Dependencies {
  package static let versions = [
    "GRDB.swift": "7.10.0", "Yams": "6.2.2", "hdrhistogram-swift": "0.2.0",
    "swift-argument-parser": "1.8.2", "swift-collections": "1.6.0", "swift-subprocess": "1.0.2",
    "swift-system": "1.8.1",
  ]
}
