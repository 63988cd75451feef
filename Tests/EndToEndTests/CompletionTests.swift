import Foundation
import Testing

@Suite("The installed completions")
struct CompletionTests {
  private let command = CommandRun()

  /// `scripts/install` writes what this function prints.
  private static let library =
    "source '\(CommandRun.root.path)/scripts/lib.sh'; binary=$topobench;"

  @Test(arguments: [
    ("--scenario 50", "5000-cities"), ("--topology par", "parent-child"),
    ("--set changes.", "changes.per_save="),
    ("--scenario 5000-cities --topology par", "parent-child"),
    ("--sc", "--scenario"), ("run --scenario 50", "5000-cities"), ("gate --me", "--metric"),
    ("gate --metric main_bl", "main_blocked_ms"),
    ("li", "list"),
  ])
  func `bash completes with and without a subcommand`(typed: String, proposed: String) throws {
    let outcome = try command.shell(
      """
      \(Self.library) source <(completions bash)
      COMP_WORDS=("$topobench" \(typed)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE=${COMP_WORDS[*]}; COMP_POINT=${#COMP_LINE}
      _topobench topobench "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, expecting: 0)
    #expect(outcome.output.split(separator: "\n").contains { $0 == proposed }, "\(outcome)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a first word with a hyphen is completed as one of run`(shell: String) throws {
    let installed = try command.shell("\(Self.library) completions \(shell)", expecting: 0).output
    let generated = try command.run("--generate-completion-script", shell, expecting: 0).output
    let added = Set(installed.split(separator: "\n")).subtracting(generated.split(separator: "\n"))
    #expect(added.contains { $0.contains("-*") && $0.contains("run") }, "\(added)")
  }
}
