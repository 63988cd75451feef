import DataModel
import Foundation
import Judging
import SQLiteStore

/// The properties of the measuring program, each declared here only.
package struct ProgramProperties: Sendable {
  static let declared = ProgramProperties()

  package let topobench: MachineProperty<String> = .init(
    .setting, "topobench", "the version of topobench"
  ) { $0.version }

  package let gitSHA: MachineProperty<String> = .init(
    .setting, "git_sha", "the git commit of the program"
  ) { $0.gitSHA }

  package let build: MachineProperty<String> = .init(
    .setting, "build", "`debug` or `release`, of the measuring program"
  ) { _ in Machine.build }
  .compared(as: "build")
  .checked("build", isDoubtful: { $0 != "release" }) { build, _ in
    Diagnosis(
      "this is a \(build) build",
      remedy: "measure with scripts/topobench or `swift build -c release`")
  }

  package let binary: MachineProperty<String> = .init(
    .setting, "binary", "a digest of the measuring program"
  ) { $0.binary }

  package let swift: MachineProperty<String> = .init(.setting, "swift", "the Swift compiler") { _ in
    Machine.swiftVersion
  }

  package let architecture: MachineProperty<String> = .init(
    .setting, "architecture", "the processor architecture of the program"
  ) { _ in Machine.architecture }

  package let cLibrary: MachineProperty<String> = .init(
    .setting, "c_library", "the version of glibc"
  ) { _ in Machine.cLibrary }

  package let dependencies: MachineProperty<[String: String]> = .init(
    .setting, "dependencies", "the version of each package in the program"
  ) { _ in Machine.dependencies }

  package let sortLocale: MachineProperty<String> = .init(
    .setting, "sort_locale", "the locale of localized sorts"
  ) { _ in TextComparison.locale.identifier }

  // MARK: SQLite

  package let sqlite: MachineProperty<String> = .init(.setting, "sqlite", "the version of SQLite") {
    _ in
    StoreEnvironment.sqliteVersion
  }
  .compared(as: "SQLite")

  package let sqliteCompileOptions: MachineProperty<[String]> = .init(
    .setting, "sqlite_compile_options", "the options that SQLite was compiled with"
  ) { _ in StoreEnvironment.compileOptions }

  package let pragmas: MachineProperty<[String: String]> = .init(
    .setting, "pragmas", "the pragmas of a store"
  ) { $0.pragmas }

  package let durable: MachineProperty<String> = .init(
    .setting, "durable", "what a commit guarantees"
  ) { $0.pragmas.map(StoreEnvironment.guarantee) }
}
