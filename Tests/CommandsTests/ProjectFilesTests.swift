import Foundation
import Support
import Testing

/// GitHub, the Swift Package Index and container builders read these files; nothing here does.
@Suite("Files for other services")
struct ProjectFilesTests {
  private static let forms = ".github/ISSUE_TEMPLATE"

  private func document(_ path: String) throws -> LocatedNode {
    let text = try DocumentationPages.text(path)
    return try #require(try LocatedNode(yaml: text, from: .file(path, line: nil)))
  }

  @Test func `each form of an issue requires the doctor's output`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: DocumentationPages.root.appending(path: Self.forms).path)
    #expect(files.count > 1)
    for file in files {
      let form = try document("\(Self.forms)/\(file)")
      guard file != "config.yml" else { continue }
      let title = try #require(try form.text(of: "name"))
      let required = try #require(try form.member("body")).items("questions").filter {
        try $0.member("validations")?.member("required")?.flag() == true
      }
      let labels = try required.map { try $0.member("attributes")?.text(of: "label") ?? "" }
      #expect(labels.contains { $0.contains("`topobench doctor --format json`") }, "\(title)")
    }
  }

  @Test func `the Swift Package Index documents the targets of the library`() throws {
    let index = try document(".spi.yml")
    let builds = try #require(try index.member("builder")?.member("configs")).items("builds")
    let package = try DocumentationPages.text("Package.swift")
    let library = try #require(
      package.firstMatch(of: /\.library\(\s*name: "Topobench",\s*targets: \[([^\]]*)\]/))
    let targets = library.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) }
    for build in builds {
      let list = try #require(try build.member("documentation_targets"))
      let documented = try list.items("targets").map { try $0.text() }
      #expect(documented.sorted() == targets.sorted())
    }
    #expect(!builds.isEmpty && !targets.isEmpty)
  }

  /// GitHub puts the value of `${{ … }}` into a script before the shell reads it.
  @Test func `scripts for CI take text from the environment alone`() throws {
    let folder = "Documentation/How-to/CI"
    let action = try document("\(folder)/action.yml")
    var steps = try #require(try action.member("runs")?.member("steps")).items("steps")
    for workflow in ["\(folder)/workflow.yml", ".github/workflows/ci.yml"] {
      for job in try #require(try document(workflow).member("jobs")).members() {
        steps += try #require(try job.node.member("steps")).items("steps")
      }
    }
    let scripts = try steps.compactMap { try $0.member("run")?.text() }
    #expect(scripts.count > 10)
    #expect(scripts.filter { $0.contains("${{") } == [])
  }

  @Test func `a container copies no builds and no results of this machine`() throws {
    #expect(try DocumentationPages.text("Containerfile").contains("\nCOPY . "))
    let ignored = try DocumentationPages.text(".dockerignore").split(separator: "\n")
    #expect(ignored.contains(".build*") && ignored.contains { $0.hasPrefix("results/") })
  }

  @Test func `a container writes to the same path as outside, where a page's address opens`() throws
  {
    for page in ["Containerfile", "README.md"] {
      let mount = "docker run --rm --volume \"$PWD:$PWD\" --workdir \"$PWD\" topobench "
      #expect(try DocumentationPages.text(page).contains(mount), "\(page)")
    }
  }
}
