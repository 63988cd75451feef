import ArgumentParser
import Judging
import Reports

// Types of other modules that options take as they are.

/// Completions and help list the formats.
extension OutputFormat: ExpressibleByArgument {}

extension Side: ExpressibleByArgument {}
