// SPDX-License-Identifier: Apache-2.0

/// What a command line's meaning depends on besides its words.
struct Surroundings: Sendable {
    /// Whether standard input is a terminal, and so has no body to give.
    var inputIsTerminal = true
    /// Whether standard output is a terminal.
    var outputIsTerminal = false
    /// The environment's variables.
    var environment: [String: String] = [:]
    /// Reads the files that items name.
    var readFile: FileReader

    /// Whether output to the terminal, or forced, is coloured (no-color.org, bixense.com/clicolors).
    var wantsColors: Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return outputIsTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
    }
}
