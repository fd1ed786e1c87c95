// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension CumulusCommand {
    /// The command for words and options as people write them: `-v`, `--timeout 5` and `--timeout=5`, and not `-jv`.
    ///
    /// ArgumentParser would take half of the command's time, most of it with searches for conformances; a debug build's
    /// checks of the grammar take a quarter of a second.
    ///
    /// - Returns: `nil` if there is anything else, which ArgumentParser reads, or whose mistakes it explains.
    static func usual(_ arguments: [String]) -> CumulusCommand? {
        var command = bare([])
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word.utf8.first != UInt8(ascii: "-") {
                command.words.append(word)
            } else if let (name, value) = joined(word) {
                guard command.takeOption(name, value) else { return nil }
            } else if !command.takeFlag(word) {
                guard let value = rest.popFirst(), let first = value.utf8.first, first != UInt8(ascii: "-"),
                    command.takeOption(word, value)
                else { return nil }
            }
        }
        return command
    }

    /// The parts of `--name=value`, whose value is not empty.
    private static func joined(_ word: String) -> (name: String, value: String)? {
        guard word.utf8.starts(with: "--".utf8), let (name, value) = word.split(at: "="), !value.isEmpty else {
            return nil
        }
        return (name, value)
    }

    /// Sets a flag; `false` if there is none of this name.
    private mutating func takeFlag(_ name: String) -> Bool {
        switch name {
        case "--version": version = true
        default:
            return request.takeFlag(name) || authorization.takeFlag(name) || session.takeFlag(name)
                || connection.takeFlag(name) || output.takeFlag(name)
        }
        return true
    }

    /// Sets an option; `false` if there is none of this name, or if that is no value for it.
    private mutating func takeOption(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--explain-exit": explainExit.take(value)
        default:
            request.takeOption(name, value) || authorization.takeOption(name, value) || session.takeOption(name, value)
                || connection.takeOption(name, value) || output.takeOption(name, value)
        }
    }
}

extension Optional where Wrapped: ExpressibleByArgument {
    /// Sets it as ArgumentParser does; `false` if the text is none of its values.
    mutating func take(_ text: String) -> Bool {
        guard let value = Wrapped(argument: text) else { return false }
        self = value
        return true
    }
}

extension [String] {
    /// Adds one more value of an option that can be repeated.
    mutating func take(_ text: String) -> Bool {
        append(text)
        return true
    }
}
