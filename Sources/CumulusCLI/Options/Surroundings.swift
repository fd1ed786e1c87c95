// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The context that a command line's meaning depends on.
struct Surroundings: Sendable {
    /// Whether standard input is a terminal, and so contains no body.
    var inputIsTerminal = true
    /// Whether standard input is closed, or not open for reading.
    var inputIsClosed = false
    /// The origin of standard input; looked at only where it makes a difference.
    var input: @Sendable () -> InputSource = { InputSource() }
    /// Whether standard output is a terminal.
    var outputIsTerminal = false
    /// Whether standard error is a terminal, where progress can be drawn.
    var errorsAreTerminal = false
    /// The width of printed help.
    var outputColumns = 80
    /// The environment's variables.
    var environment: [String: String] = [:]
    /// Reads the files of items.
    var readFile: FileReader
    /// Lists a folder's entries.
    var readFolder: @Sendable (_ path: String) throws -> [String] = {
        try FileManager.default.contentsOfDirectory(atPath: $0)
    }
    /// Returns a variable that the command line names.
    var readVariable: @Sendable (_ name: String) -> String? = { _ in nil }
    /// The working folder.
    var workingFolder: String?
    /// Reads a configuration file, which nobody else may be able to write; `nil` if there is none.
    ///
    /// `true` refuses one that others can read.
    var readConfiguration: @Sendable (_ path: String, _ isPrivate: Bool) throws -> [UInt8]? = { _, _ in nil }
    /// The authorities of the environment, once they are read.
    var roots = KeptRoots()
    /// Reads a netrc file.
    var readNetrc: @Sendable (_ path: String) throws -> NetrcFile = { try NetrcFile(path: $0) }

    /// A variable that the command line names; `nil` if it isn't set.
    func variable(_ name: String) -> String? { environment[name] ?? readVariable(name) }

    /// Whether output to the terminal, or forced output, is colored (no-color.org, bixense.com/clicolors).
    var wantsColors: Bool { wantsColors(on: outputIsTerminal) }

    /// The same for standard error.
    var wantsColorsOnErrors: Bool { wantsColors(on: errorsAreTerminal) }

    /// Whether the terminal shows non-ASCII characters, by the first of these variables that is set (POSIX.1 section
    /// 8.2).
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
