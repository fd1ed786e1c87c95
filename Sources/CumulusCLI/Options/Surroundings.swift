// SPDX-License-Identifier: Apache-2.0

import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a command line's meaning depends on besides its words.
struct Surroundings: Sendable {
    /// Whether standard input is a terminal, and so has no body to give.
    var inputIsTerminal = true
    /// Whether standard output is a terminal.
    var outputIsTerminal = false
    /// Whether standard error is a terminal, where progress can be drawn.
    var errorsAreTerminal = false
    /// How wide help is printed.
    var outputColumns = 80
    /// The environment's variables.
    var environment: [String: String] = [:]
    /// Reads the files that items name.
    var readFile: FileReader
    /// Gives the names of what is in a folder.
    var readFolder: @Sendable (_ path: String) throws -> [String] = {
        try FileManager.default.contentsOfDirectory(atPath: $0)
    }
    /// Gives a variable that the command line names.
    var readVariable: @Sendable (_ name: String) -> String? = { _ in nil }
    /// The folder that the command runs in.
    var workingFolder: String?
    /// Reads a configuration file, which nobody else may write; `nil` where there is none.
    ///
    /// `true` refuses one that others can read.
    var readConfiguration: @Sendable (_ path: String, _ isPrivate: Bool) throws -> [UInt8]? = { _, _ in nil }
    /// Reads a netrc file.
    var readNetrc: @Sendable (_ path: String) throws -> NetrcFile = { try NetrcFile(path: $0) }

    /// A variable that the command line names; `nil` if it isn't set.
    func variable(_ name: String) -> String? { environment[name] ?? readVariable(name) }

    /// Whether output to the terminal, or forced, is coloured (no-color.org, bixense.com/clicolors).
    var wantsColors: Bool { wantsColors(on: outputIsTerminal) }

    /// The same for standard error.
    var wantsColorsOnErrors: Bool { wantsColors(on: errorsAreTerminal) }

    /// Whether the terminal shows more than ASCII: the first of these variables that says anything (POSIX.1 section 8.2).
    var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let locale = locale?.lowercased() else { return false }
        return locale.has("utf-8") || locale.has("utf8")
    }

    private func wantsColors(on isTerminal: Bool) -> Bool {
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
        return isTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
    }
}
